"""Raises the walls around this process before the hand-in arrives, tries each one, and says which stand and why.

The order matters: the user is changed before the signal of the parent's death is asked for (changing it clears that),
folders are opened before limits bite, and the filter of system calls comes last, since it refuses what raises walls.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any

LEVELS = ("process", "limits", "files", "full")
NOBODY = 65534
PR_SET_PDEATHSIG, PR_CAPBSET_READ, PR_SET_NO_NEW_PRIVS = 1, 23, 38
CAP_KILL, SIGKILL = 5, 9
Config = dict[str, Any]
Layer = dict[str, Any]
LINUX = sys.platform == "linux"
POSIX = os.name == "posix"
NOT_ASKED, NOT_HERE = "not asked for", f"{sys.platform} has nothing like it"


def hold(config: Config) -> str:
    """End when the grader ends: its end of a pipe closes then, and this process asked for SIGKILL on that event."""
    import fcntl

    line = config["lifeline"]
    fcntl.fcntl(line, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(line, fcntl.F_SETSIG, SIGKILL)
    fcntl.fcntl(line, fcntl.F_SETFL, os.O_NONBLOCK | fcntl.FASYNC)
    words = "the kernel kills this process when the grader's end of a pipe closes"
    # That signal is sent when the *thread* ends that started this process, so a pool's thread cannot use it.
    if config["main_thread"] and config["level"] != "process":
        import kernel

        kernel.prctl(PR_SET_PDEATHSIG, SIGKILL)
        words += ", or when the grader dies"
    if os.getppid() != config["parent"]:
        os._exit(1)  # it died before it could be watched
    return words


def _drop_user(_: Config) -> str:
    """Become nobody, if root: then file permissions hold, and NPROC too."""
    import kernel

    if os.geteuid() != 0:
        raise OSError("not started by root")
    if not kernel.prctl(PR_CAPBSET_READ, CAP_KILL):
        raise OSError("this root may not signal other users, so the grader could not end the worker")
    os.setgroups([])
    os.setegid(NOBODY)
    os.seteuid(NOBODY)
    readable = os.access(os.__file__, os.R_OK, effective_ids=True)
    os.seteuid(0)
    os.setegid(0)
    if not readable:
        raise OSError("the standard library is closed to other users")
    os.setresgid(NOBODY, NOBODY, NOBODY)
    os.setresuid(NOBODY, NOBODY, NOBODY)
    return f"runs as user {NOBODY}"


def _no_new_privs(_: Config) -> str:
    import kernel

    kernel.prctl(PR_SET_NO_NEW_PRIVS, 1)
    return "set-user-id programs gain nothing"


def _landlock(_: Config) -> str:
    import landlock

    return landlock.confine(sys.path[1:])  # the first is the worker's own folder


def _limits(config: Config) -> str:
    import limits

    return limits.lower(config["cpu_seconds"])


def _nproc(_: Config) -> str:
    import limits

    return limits.no_processes()


def _seccomp(config: Config) -> str:
    import seccomp

    return seccomp.refuse(config["level"])


# From which level on, name, wall, where it can exist.
WALLS: tuple[tuple[str, str, Callable[[Config], str], bool], ...] = (
    ("files", "user", _drop_user, LINUX),
    ("process", "lifeline", hold, LINUX),
    ("limits", "no_new_privs", _no_new_privs, LINUX),
    ("files", "landlock", _landlock, LINUX),
    ("limits", "limits", _limits, POSIX),
    ("limits", "nproc", _nproc, POSIX),
    ("limits", "seccomp", _seccomp, LINUX),
)


def _raised(wall: Callable[[Config], str], config: Config, exists: bool) -> tuple[bool, str]:
    if not exists:
        return False, NOT_HERE
    try:
        return True, wall(config)
    except (OSError, ValueError, AttributeError) as error:  # refused, refused as setrlimit says it, not there
        return False, getattr(error, "strerror", None) or str(error)


def _refused(trial: Callable[[Config], Any], config: Config) -> bool:
    try:
        trial(config)
    except OSError:
        return True
    return False


def _try_all(layers: dict[str, Layer], config: Config, rank: int) -> None:
    """Trials of a wall that stands confirm or deny it; the others are layers of their own."""
    from trials import TRIALS

    for level, name, trial, what in TRIALS:
        before = layers.setdefault(name, {"name": name, "on": True, "why": ""})
        if LEVELS.index(level) <= rank and before["on"] and (LINUX or level == "limits"):
            on = _refused(trial, config)
            why = f"{what} was {'' if on else 'not '}refused"
            before.update(on=on, why=f"{before['why']}; {why}" if on and before["why"] else why)
        elif not before["why"]:
            before.update(on=False, why=NOT_ASKED if LINUX else NOT_HERE)


def _import_all() -> None:
    for name in ("limits", "trials", *(("kernel", "landlock", "seccomp") if LINUX else ())):
        __import__(name)  # now, since the folder they lie in is about to be closed


def prepare() -> None:
    """Do once, for all forks of a server, what does not depend on them; nothing is confined by it. Linux."""
    import landlock

    _import_all()
    with suppress(OSError):  # each fork will say why it has no Landlock
        landlock.prepare(sys.path[1:])


def raise_all(config: Config) -> list[Layer]:
    """Raise and try what the wanted level has; one layer each, on or off and why."""
    rank = LEVELS.index(config["level"])
    layers: dict[str, Layer] = {}
    if POSIX and rank:
        _import_all()
    for level, name, wall, exists in WALLS:
        on, why = _raised(wall, config, exists) if LEVELS.index(level) <= rank else (False, NOT_ASKED)
        layers[name] = {"name": name, "on": on, "why": why}
    if "landlock" in sys.modules:
        sys.modules["landlock"].forget()
    if POSIX and rank:  # nothing stands on Windows, where os.kill(pid, 0) is no harmless question either
        _try_all(layers, config, rank)
    return list(layers.values())
