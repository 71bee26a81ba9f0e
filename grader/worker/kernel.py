"""System calls for which Python has no function, through the C library; a refusal is raised as OSError. Linux only."""

from __future__ import annotations

import ctypes
import os
import sys

_libc = ctypes.CDLL(None, use_errno=True)
_libc.syscall.argtypes = [ctypes.c_long] * 6
_libc.prctl.argtypes = [ctypes.c_int, *[ctypes.c_ulong] * 4]


def _checked(result: int) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result


def syscall(number: int, *arguments: int) -> int:
    """The system call ``number``; buffers go in by address, and zeros where it takes fewer arguments."""
    return _checked(_libc.syscall(number, *(*arguments, 0, 0, 0, 0, 0)[:5]))


def prctl(option: int, *arguments: int) -> int:
    """An operation on this process, with zeros where it takes fewer arguments."""
    return _checked(_libc.prctl(option, *(*arguments, 0, 0, 0, 0)[:4]))


def socket(family: int) -> int:
    """A new stream socket's descriptor, without the weight of the socket module."""
    return _checked(_libc.socket(family, 1, 0))


def machine() -> str:
    """The machine whose system call numbers apply, "" when this Python is a 32-bit one."""
    return os.uname().machine if sys.maxsize > 2**32 else ""
