"""What holds a hand-in: levels, the layers of each, what the grader itself saw of them, and all of it in words.

The marks never depend on a layer being there; the layers protect files, secrets, the machine and other students.
A worker reports its layers before it has seen one byte of the hand-in, and the report is checked against /proc.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, get_args

from grader.records import GraderFault

Level = Literal["process", "limits", "files", "full"]
LEVELS: tuple[Level, ...] = get_args(Level)  # each holds the ones before it
NEEDED: dict[Level, tuple[str, ...]] = {
    "process": (),
    "limits": ("limits", "no writing", "no descendants"),
    "files": ("landlock", "no_new_privs"),
    "full": ("seccomp", "no network", "no signals"),
}
NAMED = ("landlock", "seccomp", "limits")  # in the one line for people
PR_SET_DUMPABLE = 4


@dataclass(frozen=True)
class Layer:
    """One layer of isolation: whether it stands, and why or why not."""

    name: str
    on: bool
    why: str


@dataclass(frozen=True)
class Ready:
    """A worker's only message before the hand-in is sent: the layers that it raised and tried."""

    layers: tuple[Layer, ...]


class NotIsolated(GraderFault):
    """Isolation is below what was asked for: nothing is graded, exit status 3."""


def usual() -> Level:
    """What grading requires when nobody asks for more: ``limits``, but ``process`` where nothing more is promised."""
    return "limits" if sys.platform == "linux" else "process"


def achieved(layers: Iterable[Layer]) -> Level:
    """The highest level of which every layer stands, and every layer of the levels below."""
    standing = {layer.name for layer in layers if layer.on}
    reached: Level = "process"
    for level in LEVELS:
        if not standing.issuperset(NEEDED[level]):
            break
        reached = level
    return reached


def need(layers: Sequence[Layer], required: Level) -> None:
    """Raise NotIsolated, with what is missing, when the layers do not reach the required level."""
    reached = achieved(layers)
    if LEVELS.index(reached) >= LEVELS.index(required):
        return
    wanted = {name for level in LEVELS[: LEVELS.index(required) + 1] for name in NEEDED[level]}
    missing = "; ".join(f"{layer.name}: {layer.why}" for layer in layers if layer.name in wanted and not layer.on)
    raise NotIsolated(
        f"nothing was graded: isolation '{required}' is required, but only '{reached}' is there ({missing}); "
        f"grade on another machine, or accept less with --require-isolation {reached}"
    )


def lines(layers: Sequence[Layer]) -> tuple[str, ...]:
    """For the report: one line for people, such as "full (Landlock 7, seccomp, limits)", then one for each layer."""
    standing = {layer.name: layer for layer in layers if layer.on}
    names = [_short(standing[name]) for name in NAMED if name in standing]
    summary = f"{achieved(layers)} ({', '.join(names) or 'own process only'})"
    return (summary, *(f"{layer.name}: {'on' if layer.on else 'off'} ({layer.why})" for layer in layers))


def _short(layer: Layer) -> str:
    abi = re.match(r"ABI (\d+)", layer.why)
    return f"Landlock {abi[1]}" if abi else layer.name


def always() -> tuple[Layer, ...]:
    """What holds on every platform, by construction."""
    return (
        Layer("process", True, "its own process, no site packages, no environment, an empty folder"),
        Layer("deadlines", True, "on the grader's clock, then SIGKILL"),
    )


def hide_memory(level: Level) -> Layer:
    """From ``files`` on: close the grader's own memory and environment to the same user's processes, for good."""
    if level in ("process", "limits"):
        return Layer("grader memory", False, "not asked for")
    if sys.platform != "linux":
        return Layer("grader memory", False, f"{sys.platform} has nothing like it")
    if os.geteuid() == 0:
        return Layer("grader memory", False, "no effect for a root grader")
    import ctypes  # here, where the wait for the worker hides what it costs

    if ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0:
        return Layer("grader memory", False, "the kernel refused")
    return Layer("grader memory", True, "not readable by processes of the same user")


def seen(layers: Iterable[Layer], pid: int, proc: Path = Path("/proc")) -> tuple[Layer, ...]:
    """The layers with what /proc says of the worker: it confirms a layer, or turns it off."""
    try:
        status, own, limits = (
            dict(re.findall(pattern, path.read_text(encoding="utf-8", errors="replace"), re.MULTILINE))
            for pattern, path in (
                (r"^(\w+):\s*(.*)$", proc / str(pid) / "status"),
                (r"^(\w+):\s*(.*)$", proc / "self" / "status"),
                (r"^Max (.*?)  +(\S+ +\S+)", proc / str(pid) / "limits"),
            )
        )
    except OSError:
        return tuple(layers)
    facts = {
        "no_new_privs": status.get("NoNewPrivs") == "1",
        "seccomp": status.get("Seccomp") == "2" and _one_more_filter(status, own),
        "limits": all(limits.get(name, "").split() == ["0", "0"] for name in ("file size", "core file size"))
        and not any("unlimited" in limits.get(name, "unlimited") for name in ("cpu time", "address space")),
    }
    return tuple(_confirmed(layer, facts.get(layer.name)) for layer in layers)


def _one_more_filter(status: dict[str, str], own: dict[str, str]) -> bool:
    """Whether the worker has a filter that the grader has not: a container brings its own. True before Linux 5.9."""
    name = "Seccomp_filters"
    return name not in status or int(status[name]) > int(own.get(name, 0))


def _confirmed(layer: Layer, fact: bool | None) -> Layer:
    if fact is None or not layer.on:
        return layer
    if fact:
        return replace(layer, why=f"{layer.why}; the grader saw it in /proc")
    return replace(layer, on=False, why="the worker reported it, but /proc says otherwise")
