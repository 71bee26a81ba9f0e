"""One worker process: started, spoken to in JSON lines under a deadline, and killed with all that it started."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import IO, Any, Literal

from grader.forms import BadForm, loads
from grader.records import GraderFault

MAX_LINE = 32 * 2**20  # bytes of one reply; a graph of 50,000 nodes is about 2 MiB
KEPT_OUTPUT = 64 * 2**10  # bytes of raw output that are kept; the rest is drained and dropped
MAX_OUTPUT = 256 * 2**20  # bytes of raw output after which a worker is ended
WORKER = Path(__file__).parent / "worker"


class Lost(Exception):
    """The worker will not answer: it ran out of time, or it died (the text says how)."""

    def __init__(self, kind: Literal["timeout", "died"], text: str = "") -> None:
        super().__init__(text)
        self.kind = kind


class Process:
    """A worker as a context: entering starts it, leaving kills and reaps it."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._replies: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._output = bytearray()

    def __enter__(self) -> Process:
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-I", "-S", "-B", "-X", "utf8", str(WORKER)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=self._folder,
                env=_environment(),
                start_new_session=os.name == "posix",
            )
        except OSError as error:
            raise GraderFault(f"cannot start a worker process: {error}") from error
        for target in (self._read_replies, self._drain_output):
            threading.Thread(target=target, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            with contextlib.suppress(OSError, ValueError):
                if pipe is self._process.stdin and pipe is not None:
                    pipe.close()

    def start(self, given: dict[str, str], seconds: float) -> None:
        """Send the given code and wait for the report that the worker is ready."""
        self.send(given)
        try:
            ready = self.reply(seconds)
        except (Lost, BadForm) as lost:
            output = bytes(self._output).decode("utf-8", "replace").strip()
            raise GraderFault(f"the worker did not get ready: {lost} {output[-500:]}") from lost
        if ready != {"ready": True}:
            raise GraderFault("the worker reported something else than that it is ready")

    def send(self, message: Any) -> None:
        """One JSON line to the worker; a worker that no longer listens is noticed at the next reply."""
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):
            self._process.stdin.write(json.dumps(message, allow_nan=False).encode("ascii") + b"\n")
            self._process.stdin.flush()

    def reply(self, seconds: float) -> Any:
        """The next line as JSON. Raises Lost after ``seconds`` or when the worker is gone, BadForm for non-JSON."""
        end = time.monotonic() + seconds
        while True:
            try:
                line = self._replies.get(timeout=min(0.25, max(0.0, end - time.monotonic())))
                break
            except queue.Empty:
                if time.monotonic() >= end:
                    self._kill()
                    raise Lost("timeout") from None
                if self._process.poll() is not None and self._replies.empty():
                    line = None  # dead, and something it left behind holds the pipe open
                    break
        if line is None:
            raise Lost("died", self._how_it_died())
        return loads(line)

    def _read_replies(self) -> None:
        pipe = self._process.stdout
        assert pipe is not None
        with pipe, contextlib.suppress(OSError, ValueError):
            while True:
                line = pipe.readline(MAX_LINE)
                if not line.endswith(b"\n"):
                    break
                self._replies.put(line)
        self._replies.put(None)

    def _drain_output(self) -> None:
        pipe: IO[bytes] | None = self._process.stderr
        assert pipe is not None
        total = 0
        with pipe, contextlib.suppress(OSError, ValueError):
            while chunk := os.read(pipe.fileno(), 2**16):
                total += len(chunk)
                self._output += chunk[: max(0, KEPT_OUTPUT - len(self._output))]
                if total > MAX_OUTPUT:
                    self._kill()

    def _kill(self) -> None:
        if self._process.returncode is not None:
            return
        if os.name == "posix":
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)
        with contextlib.suppress(OSError):
            self._process.kill()

    def _how_it_died(self) -> str:
        self._kill()
        code = self._process.wait()
        if code < 0 and code != -signal.SIGKILL:
            return f"the process crashed ({signal.Signals(-code).name})"
        if code < 0:
            return "the process was killed, as the system does when memory runs out"
        return f"the process ended itself with exit status {code}"


def _environment() -> dict[str, str]:
    kept = {name: os.environ[name] for name in ("SYSTEMROOT",) if name in os.environ}
    return {"PATH": os.defpath, "LC_ALL": "C.UTF-8", **kept}
