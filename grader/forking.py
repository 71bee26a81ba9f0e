"""Forks workers from one that is ready, in a tenth of the time that a fresh interpreter takes. Linux.

The server that forks has run the given code and never sees a hand-in. Each fork is a process of its own: it raises its
walls, is asked one hand-in, and ends. Nothing comes back to the server but its exit status: the next starts as clean.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import socket
import subprocess
import threading
import weakref
from collections.abc import Callable, Mapping, Sequence
from typing import IO

from grader.launch import COMMAND, environment

PATIENCE = 30.0  # seconds for a server to get ready and to fork


class Forked:
    """A forked worker, with as much of Popen's interface as a started one is used by."""

    def __init__(self, pid: int, pipes: Sequence[int], server: ForkServer, control: socket.socket) -> None:
        self.pid, self._control, self._done = pid, control, server.free
        self.parent, self.asked = server.pid, server.asked
        self.stdin: IO[bytes] | None = os.fdopen(pipes[0], "wb")
        self.stdout: IO[bytes] | None = os.fdopen(pipes[1], "rb")
        self.stderr: IO[bytes] | None = os.fdopen(pipes[2], "rb")
        self.returncode: int | None = None

    def ended(self) -> bool:
        """Whether it has ended; its number stays its own until wait()."""
        return self.returncode is not None or bool(select.select([self._control], [], [], 0)[0])

    def wait(self) -> int:
        """Its exit status, or minus the signal that ended it, once it has ended."""
        if self.returncode is None:
            self._control.settimeout(None)
            self.returncode = -signal.SIGKILL  # unless the server, which may have been killed, says otherwise
            with contextlib.suppress(OSError, ValueError):
                self.returncode = int(self._control.recv(16))
                self._control.send(b"reap")
            self._done()
        return self.returncode

    def kill(self) -> None:
        """End it at once."""
        if self.returncode is None:
            os.kill(self.pid, signal.SIGKILL)


class ForkServer:
    """Forks workers, one at a time: started for the first one, and again when it is gone.

    ``asked``: the questions that its workers have read already, as the JSON text of a list.
    """

    def __init__(self, given: Mapping[str, str]) -> None:
        self._given = dict(given)
        self._control: socket.socket | None = None
        self._busy = threading.Lock()
        self.close: Callable[[], object] = lambda: None
        self.pid, self.asked = -1, b""

    def fork(self, folder: str, lifeline: int, asked: bytes) -> Forked | None:
        """A worker in ``folder``; None while another is under way. Raises OSError when a fresh server cannot either."""
        if not self._busy.acquire(blocking=False):
            return None
        try:
            if self._control is not None:
                with contextlib.suppress(OSError, ValueError):
                    return self._forked(self._control, folder, lifeline)
                self.close()
            return self._forked(self._start(asked), folder, lifeline)
        except BaseException:
            self.free()
            raise

    def free(self) -> None:
        """The last fork has ended."""
        self._busy.release()

    def _start(self, asked: bytes) -> socket.socket:
        control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        line, held = os.pipe()
        with theirs:
            process = subprocess.Popen(
                COMMAND,
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                cwd=os.sep,
                env=environment(),
                start_new_session=True,
                pass_fds=(theirs.fileno(), line),
            )
            watched = {"lifeline": line, "parent": os.getpid(), "main_thread": False}
            config = json.dumps({"given": self._given, "server": theirs.fileno(), **watched}).encode("ascii")
        os.close(line)
        self.close = weakref.finalize(self, _end, control, held, process)
        self._control, self.pid, self.asked = control, process.pid, asked
        assert process.stdin is not None
        with process.stdin as pipe:
            pipe.write(config[:-1] + b', "probes": ' + asked + b"}\n")
        return control

    def _forked(self, control: socket.socket, folder: str, lifeline: int) -> Forked:
        ends = [os.pipe() for _ in range(3)]
        theirs = [ends[0][0], ends[1][1], ends[2][1]]
        ours = [ends[0][1], ends[1][0], ends[2][0]]
        try:
            control.settimeout(PATIENCE)
            socket.send_fds(control, [os.fsencode(folder)], [*theirs, lifeline])
            return Forked(int(control.recv(16)), ours, self, control)
        except (OSError, ValueError):
            for descriptor in ours:
                os.close(descriptor)
            raise
        finally:
            for descriptor in theirs:
                os.close(descriptor)


def _end(control: socket.socket, lifeline: int, process: subprocess.Popen[bytes]) -> None:
    """No worker is under way when this is called."""
    control.close()
    os.close(lifeline)
    process.kill()
    process.wait()
