"""What goes out to others: each part is an explicit list of files, proved to give nothing away, then written."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.isolation import Level
from grader.kit import Kit
from grader.render.gradescope import Visibility

# Part, what it is, and the module whose ``build`` makes it, imported only when it is asked for.
PARTS = {
    "student": ("the student's bundle: a folder and a zip", "grader.handout.bundle"),
    "gradescope": ("the autograder for Gradescope: a zip", "grader.handout.gradescope"),
    "nbgrader": ("an nbgrader course with the assignment made and released", "grader.handout.assignment"),
}
USUAL = ("student", "gradescope")  # what is built when no part is named


@dataclass(frozen=True)
class Order:
    """Where the parts go, and what the instructor chose for them."""

    into: Path
    key: Path | None = None
    tiers: tuple[tuple[str, Visibility], ...] = ()
    require: Level | None = None


def build(part: str, kit: Kit, order: Order) -> Sequence[str]:
    """Make one part; returns what there is to say about it, a line each.

    Raises UsageError for what cannot be made, GraderFault when what was made would give something away.
    """
    make: Callable[[Kit, Order], Sequence[str]] = importlib.import_module(PARTS[part][1]).build
    return make(kit, order)
