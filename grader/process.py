"""One worker process: started behind walls, spoken to in JSON lines under a deadline, killed with all it started."""

from __future__ import annotations

import contextlib
import os
import queue
import signal
import subprocess
import threading
import time
from typing import IO, TYPE_CHECKING, Any, Literal

from grader import isolation
from grader.bytecode import leave_bytecode
from grader.forms import BadForm, from_form, line, loads
from grader.launch import POSIX, WORKER, started
from grader.records import GraderFault

if TYPE_CHECKING:  # a student's check forks nothing
    from collections.abc import Callable

    from grader.forking import Forked

MAX_LINE = 32 * 2**20  # bytes of one reply; a graph of 50,000 nodes is about 2 MiB
KEPT_OUTPUT = 64 * 2**10  # bytes of raw output that are kept; the rest is drained and dropped
MAX_OUTPUT = 256 * 2**20  # bytes of raw output, and as many of replies, after which a worker is ended
DRAINING = 2.0  # seconds for the last answers of a worker that has ended, on a busy machine


class Lost(Exception):
    """The worker will not answer: it ran out of time, or it died (the text says how)."""

    def __init__(self, kind: Literal["timeout", "died"], text: str = "") -> None:
        super().__init__(text)
        self.kind = kind


class Process:
    """A worker as a context: entering starts it, leaving kills and reaps it.

    ``fork`` makes one from a folder and the descriptor of its lifeline; where it makes none, a fresh one is started.
    """

    def __init__(
        self,
        folder: str,
        level: isolation.Level,
        cpu_seconds: int,
        fork: Callable[[str, int], Forked | None] = lambda *_: None,
    ) -> None:
        self._folder, self._level, self._cpu_seconds, self._fork = folder, level, cpu_seconds, fork
        self._replies: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._output, self._flooded, self.line = bytearray(), False, b""
        self._closing = contextlib.ExitStack()

    def __enter__(self) -> Process:
        try:
            self._main_thread = threading.get_native_id() == os.getpid()  # as Linux counts threads
            self._lifeline, held = os.pipe()  # nothing is ever written: the kernel closes it when the grader dies
            self._closing.callback(os.close, held)
            self._process = self._launched()
        except OSError as error:
            self._closing.close()
            raise GraderFault(f"cannot start a worker process: {error}") from error
        for target in (self._read_replies, self._drain_output):
            threading.Thread(target=target, daemon=True).start()
        leave_bytecode(WORKER)  # for the next worker: this one is on its way
        return self

    def _launched(self) -> subprocess.Popen[bytes] | Forked:
        try:
            self.forked = self._fork(self._folder, self._lifeline)
            return self.forked or started(self._folder, self._lifeline)
        finally:
            os.close(self._lifeline)

    def __exit__(self, *_: object) -> None:
        self._kill()
        self._process.wait()
        self._closing.close()
        if self._process.stdin is not None:
            with contextlib.suppress(OSError, ValueError):
                self._process.stdin.close()

    def start(self, given: dict[str, str], seconds: float) -> tuple[isolation.Layer, ...]:
        """Send the given code and the wanted level; the layers that the worker reports, checked, once it is ready."""
        config = {
            "level": self._level,
            "cpu_seconds": self._cpu_seconds,
            "grader": os.getpid(),
            "parent": self.forked.parent if self.forked else os.getpid(),
            "main_thread": self._main_thread or self.forked is not None,  # a server has no other thread
            **({} if self.forked else {"given": given, "lifeline": self._lifeline}),
        }
        self.send(config)
        memory = isolation.hide_memory(self._level)
        try:
            ready = from_form(isolation.Ready, self.reply(seconds))
        except (Lost, BadForm) as lost:
            output = bytes(self._output).decode("utf-8", "replace").strip()
            raise GraderFault(f"the worker did not get ready: {lost} {output[-500:]}") from lost
        return (*isolation.always(), *isolation.seen(ready.layers, self._process.pid), memory)

    def send(self, message: Any) -> None:
        """One JSON line to the worker; a worker that no longer listens is noticed at the next reply."""
        text = message if isinstance(message, bytes) else line(message)
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):
            self._process.stdin.write(text)
            self._process.stdin.flush()

    def reply(self, seconds: float) -> Any:
        """The next line as JSON (``line`` as bytes). Raises Lost when none comes, BadForm for non-JSON."""
        line, end = None, time.monotonic() + seconds
        while True:
            try:
                line = self._replies.get(timeout=min(0.25, max(0.0, end - time.monotonic())))
                break
            except queue.Empty:
                if time.monotonic() >= end:
                    self._kill()
                    raise Lost("timeout") from None
                if self._is_dead():  # what it had still answered comes; if nothing does, what it left holds the pipe
                    with contextlib.suppress(queue.Empty):
                        line = self._replies.get(timeout=DRAINING)
                    break
        if line is None:
            raise Lost("died", self._how_it_died())
        self.line = line
        return loads(line)

    def _read_replies(self) -> None:
        pipe = self._process.stdout
        assert pipe is not None
        total = 0
        with pipe, contextlib.suppress(OSError, ValueError):
            while total < MAX_OUTPUT:
                line = pipe.readline(MAX_LINE)
                if not line.endswith(b"\n"):
                    break
                total += len(line)
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
                    self._flooded = True
                    self._kill()

    def _is_dead(self) -> bool:
        """Whether the worker has ended; it is not reaped yet, so that its group's number stays its own."""
        if not isinstance(self._process, subprocess.Popen):
            return self._process.ended()
        if not hasattr(os, "waitid"):
            return self._process.poll() is not None
        try:
            return os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
        except ChildProcessError:  # the embedding program ignores SIGCHLD, or another thread has just reaped it
            return True

    def _dies_soon(self) -> bool:
        """Whether it ends without being killed: its pipes close a moment before it has ended."""
        end = time.monotonic() + 0.5
        while not self._is_dead():
            if time.monotonic() > end:
                return False
            time.sleep(0.002)
        return True

    def _kill(self) -> None:
        if self._process.returncode is not None:
            return
        if POSIX:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)
        with contextlib.suppress(OSError):
            self._process.kill()

    def _how_it_died(self) -> str:
        if self._flooded:
            return f"the process was ended, since it had written more than {MAX_OUTPUT >> 20} MiB of output"
        died_first = self._dies_soon()
        self._kill()
        code = self._process.wait()
        if code == -signal.SIGKILL:
            killer = "as the system does when memory runs out" if died_first else "since it had closed its answers"
            return f"the process was killed, {killer}"
        if code < 0:
            names = {known.value: known.name for known in signal.Signals}  # real-time signals have none
            return f"the process crashed ({names.get(-code, f'signal {-code}')})"
        return f"the process ended itself with exit status {code}"
