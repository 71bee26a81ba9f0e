"""A class's results as plain data, for the page: who has what in each check, what went wrong, who is like whom."""

from __future__ import annotations

from dataclasses import dataclass

from grader.records import Component, Status
from grader.similarity import Pair


@dataclass(frozen=True)
class Student:
    """One student's row: ``statuses`` and ``points`` stand in the order of the class's checks."""

    name: str
    score: int
    max_score: int
    statuses: tuple[Status, ...]
    points: tuple[int, ...]


@dataclass(frozen=True)
class Line:
    """One check of the rubric."""

    id: str
    component: Component
    claim: str
    max_points: int


@dataclass(frozen=True)
class Shared:
    """Something that is said of several students: a misconception, a notice, a remark."""

    title: str
    text: str
    names: tuple[str, ...]


@dataclass(frozen=True)
class Excerpt:
    """The same lines in two hand-ins: where, and the text of both where it may be shown."""

    one: tuple[int, int]
    other: tuple[int, int]
    texts: tuple[str, str] | None


@dataclass(frozen=True)
class Twins:
    """A pair of like hand-ins. ``copies``: how many more have the very same code as the one and as the other."""

    names: tuple[str, str]
    copies: tuple[int, int]
    pair: Pair
    excerpts: tuple[Excerpt, ...]


@dataclass(frozen=True)
class Likeness:
    """Who is like whom. ``same``: groups whose own code is the same throughout.

    ``unread`` hand-ins could not be compared; ``kinds`` that differ were.
    """

    same: tuple[tuple[str, ...], ...]
    twins: tuple[Twins, ...]
    kinds: int
    unread: int


@dataclass(frozen=True)
class Run:
    """How it was graded. ``seeds`` are left out where they are private."""

    kit: str
    grader: str
    seeds: str
    isolation: tuple[tuple[str, int], ...]
    graded: int
    seconds: float


@dataclass(frozen=True)
class ClassResults:
    """Everything on the page. ``casualties`` are the grader's faults, ``troubles`` had not one file to grade."""

    title: str
    checks: tuple[Line, ...]
    students: tuple[Student, ...]
    misconceptions: tuple[Shared, ...]
    notices: tuple[Shared, ...]
    casualties: tuple[Shared, ...]
    troubles: tuple[Shared, ...]
    likeness: Likeness
    run: Run
    pass_mark: int | None = None
    anonymous: bool = False
