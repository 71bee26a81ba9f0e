"""Tries the walls from inside: each trial does what a wall must refuse, and must fail with OSError. POSIX."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

Config = dict[str, Any]


def _write_file(_: Config) -> None:
    os.write(os.open("trial", os.O_CREAT | os.O_WRONLY), b"x")  # goes with the folder that the grader made


def _fork(_: Config) -> None:
    child = os.fork()
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)


def _raise_limit(_: Config) -> None:
    import resource

    try:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # changes nothing, yet the filter must refuse it
    except ValueError as error:  # what Python makes of EPERM here
        raise PermissionError from error


def _change_mode(_: Config) -> None:
    try:
        os.fchmod(-1, 0)
    except PermissionError:
        raise
    except OSError:
        pass  # "bad descriptor": the kernel looked at the call instead of refusing it


def _connect(_: Config) -> None:
    import kernel

    for family in (1, 2):  # local, internet
        kernel.socket(family)


# From which level on, layer, what must fail with OSError, and its name.
TRIALS: tuple[tuple[str, str, Callable[[Config], Any], str], ...] = (
    ("limits", "no writing", _write_file, "writing a file"),
    ("limits", "no descendants", _fork, "fork"),
    ("limits", "seccomp", _raise_limit, "changing a limit"),
    ("files", "seccomp", _change_mode, "chmod"),
    ("files", "landlock", lambda _: os.open(__file__, os.O_RDONLY), "opening a canary outside"),
    ("files", "landlock", lambda _: os.scandir("/"), "listing the root folder"),
    ("full", "no network", _connect, "a socket"),
    ("full", "no signals", lambda config: os.kill(config["grader"], 0), "a signal to the grader"),
)
