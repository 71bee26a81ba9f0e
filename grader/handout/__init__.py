"""What goes out to others: each part is an explicit list of files, proved to give nothing away, then written."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, TypeAlias

from grader.grading import Kit
from grader.isolation import Level

Visibility: TypeAlias = Literal["hidden", "after_due_date", "after_published", "visible"]

# Part, what it is, and the module whose ``build`` makes it, imported only when it is asked for.
PARTS = {
    "student": ("the student's bundle: a folder and a zip", "grader.handout.bundle"),
}
USUAL = ("student",)  # what is built when no part is named


@dataclass(frozen=True)
class Order:
    """Where the parts go, and what the instructor chose for them."""

    into: Path
    key: Path | None = None
    tiers: Mapping[str, Visibility] = field(default_factory=dict)
    require: Level | None = None


def build(part: str, kit: Kit, order: Order) -> Sequence[str]:
    """Make one part; returns what there is to say about it, a line each.

    Raises UsageError for what cannot be made, GraderFault when what was made would give something away.
    """
    make: Callable[[Kit, Order], Sequence[str]] = importlib.import_module(PARTS[part][1]).build
    return make(kit, order)
