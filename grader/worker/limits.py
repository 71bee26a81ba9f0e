"""Resource limits, soft and hard at once, so that nothing raises them again. POSIX."""

from __future__ import annotations

import os
import resource
import sys

SPACE = 2**30  # bytes of address space; a graph of 50,000 nodes needs about 30 MiB
FILES = 64  # open at once


def _lower(name: str, value: int) -> None:
    kind = getattr(resource, f"RLIMIT_{name}")
    hard = resource.getrlimit(kind)[1]
    value = value if hard == resource.RLIM_INFINITY else min(value, hard)
    resource.setrlimit(kind, (value, value))


def lower(cpu_seconds: int) -> str:
    """CPU time, file size, open files, core files and (Linux) address space; returns them in words."""
    _lower("CPU", cpu_seconds)  # a backstop: the grader's clock ends a worker long before
    _lower("FSIZE", 0)  # no byte can be written to any regular file, as root either
    _lower("NOFILE", FILES)
    _lower("CORE", 0)
    words = f"{cpu_seconds} s of CPU, no byte written to files, {FILES} open files, no core files"
    if sys.platform != "linux":
        return f"{words}; memory is not limited: {sys.platform} does not enforce it"
    _lower("AS", SPACE)
    return f"{words}, {SPACE >> 20} MiB of address space"


def no_processes() -> str:
    """NPROC=0, the only value that means the same on every machine: it counts all processes of the user."""
    _lower("NPROC", 0)
    if os.geteuid() == 0:
        raise OSError("no effect for root")
    return "no new process or thread for this user"
