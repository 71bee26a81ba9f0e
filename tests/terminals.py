"""A program in a real pseudo-terminal: what it shows, and keys that are typed."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path

from tests.hand_ins import environment

CLEAR = "\x1b[2J\x1b[H"
PATIENCE = 45.0  # seconds; only a broken program takes so long
# The child makes the terminal its own, so that Ctrl-C reaches it as a signal.
TAKES_TERMINAL = (
    "import fcntl, os, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); os.execv(sys.executable, sys.argv[1:])"
)
PLAIN = {"TERM": "xterm", "NO_COLOR": "1", "PYTHONIOENCODING": "utf-8", "COLUMNS": "", "LINES": ""}


class Terminal:
    """As a context: a Python program that runs in a terminal of so many columns; it is ended on leaving."""

    def __init__(self, *arguments: str | Path, columns: int = 80, **more: str | None) -> None:
        self._master, inside = pty.openpty()
        fcntl.ioctl(inside, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
        merged = {**environment(), **PLAIN, **more}
        self._process = subprocess.Popen(
            [sys.executable, "-c", TAKES_TERMINAL, sys.executable, *map(str, arguments)],
            stdin=inside,
            stdout=inside,
            stderr=inside,
            start_new_session=True,
            env={name: value for name, value in merged.items() if value},
        )
        os.close(inside)
        self._raw = b""

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._master)

    @property
    def all(self) -> str:
        """Everything that was written, escapes and all."""
        return self._raw.decode("utf-8", "replace").replace("\r\n", "\n")

    @property
    def screen(self) -> str:
        """What was written since the screen was last cleared, as words with single blanks."""
        text = re.sub(r"\x1b\[[0-9;]*m", "", self.all.rpartition(CLEAR)[2])
        return " ".join(text.split())

    def until(self, *words: str) -> str:
        """The screen, once it shows all of these; the test fails when it never does."""
        end = time.monotonic() + PATIENCE
        while not all(word in self.screen for word in words):
            assert time.monotonic() < end and self._read(1.0), f"never saw {words}:\n{self.all}"
        return self.screen

    def stop(self) -> int:
        """Type Ctrl-C; the exit status."""
        os.write(self._master, b"\x03")
        end = time.monotonic() + PATIENCE
        while self._process.poll() is None and time.monotonic() < end:
            self._read(0.1)
        while self._read(0.2, wait=False):
            pass
        return self._process.wait(1.0)

    def _read(self, seconds: float, wait: bool = True) -> bool:
        """Take what was written; False once there will be no more, or, without ``wait``, when there was nothing."""
        if not select.select([self._master], [], [], seconds)[0]:
            return wait
        chunk = b""
        with contextlib.suppress(OSError):  # Linux says so when the other side is closed
            chunk = os.read(self._master, 2**16)
        self._raw += chunk
        return bool(chunk)
