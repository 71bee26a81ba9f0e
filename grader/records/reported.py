"""What is reported: results by line of the rubric, and what stands beside them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from grader.records.asked import Component, Property, Rows, Submission

Status = Literal["passed", "failed", "todo", "raised", "timeout", "memory", "died", "unloadable", "blocked"]


@dataclass(frozen=True)
class Result:
    """One line of the report."""

    id: str
    component: Component
    property: Property
    claim: str
    status: Status
    points: int
    max_points: int
    message: str
    hint: str
    seconds: float


@dataclass(frozen=True)
class Diagnosis:
    """A named misconception whose numbers equal the student's."""

    component: Component
    misconception: str
    sentence: str
    hint: str


@dataclass(frozen=True)
class Notice:
    """Something a student should know that costs no points."""

    component: Component | None
    text: str


@dataclass(frozen=True)
class Picture:
    """Numbers that people would rather look at than read.

    ``heat``: a cell per number, ``rows`` by ``columns``, beside ``expected`` where that is known (else empty).
    ``pairs``: a bar per number, two to a row, named in ``columns``.
    ``wrong`` are the places (row, column) that are at odds with a right answer.
    """

    kind: Literal["heat", "pairs"]
    component: Component
    title: str
    caption: str
    rows: Rows
    labels: tuple[str, ...]
    columns: tuple[str, ...]
    expected: Rows = ()
    wrong: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True)
class Environment:
    """What graded, on what, and which isolation layers were on."""

    grader: str
    python: str
    platform: str
    isolation: tuple[str, ...]


@dataclass(frozen=True)
class Report:
    """All lines, totals, seed and environment of one graded submission."""

    submission: Submission
    seed: int
    results: tuple[Result, ...]
    environment: Environment
    seconds: float
    diagnoses: tuple[Diagnosis, ...] = ()
    notices: tuple[Notice, ...] = field(default=())
    pictures: tuple[Picture, ...] = ()

    @property
    def score(self) -> int:
        return sum(result.points for result in self.results)

    @property
    def max_score(self) -> int:
        return sum(result.max_points for result in self.results)

    def of(self, component: Component) -> tuple[Result, ...]:
        """The lines of one component, in rubric order."""
        return tuple(result for result in self.results if result.component == component)
