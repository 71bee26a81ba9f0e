"""Makes this process a server: each request on a socket is answered by a fork, which goes on as a worker. Linux.

The server itself reads nothing but paths of empty folders, and no hand-in is ever in its memory.
"""

from __future__ import annotations

import gc
import os
import socket

import kernel

PR_SET_DUMPABLE = 4


def serve(number: int) -> int:
    """Returns in each fork alone, with its pipes at descriptors 0, 1 and 2: the number of its lifeline."""
    if os.geteuid() != 0:
        kernel.prctl(
            PR_SET_DUMPABLE, 0
        )  # no process of the same user may read or change what the next fork starts from
    control = socket.socket(fileno=number)
    gc.freeze()
    while True:
        folder, pipes, _, _ = socket.recv_fds(control, 4096, 4)
        if not folder:
            os._exit(0)  # the grader has closed its end
        child = os.fork()
        if child == 0:
            control.close()
            return _settled(folder, pipes)
        for pipe in pipes:
            os.close(pipe)
        _watch(control, child)


def _settled(folder: bytes, pipes: list[int]) -> int:
    os.setsid()
    os.chdir(folder)
    for target, pipe in enumerate(pipes[:3]):
        os.dup2(pipe, target)
        os.close(pipe)
    return pipes[3]


def _watch(control: socket.socket, child: int) -> None:
    """Tell the grader its number and how it ended; it is reaped only after the grader has stopped using that number."""
    control.send(b"%d" % child)
    ended = os.waitid(os.P_PID, child, os.WEXITED | os.WNOWAIT)
    assert ended is not None
    control.send(b"%d" % (ended.si_status if ended.si_code == os.CLD_EXITED else -ended.si_status))
    if not control.recv(4):
        os._exit(0)
    os.waitpid(child, 0)
