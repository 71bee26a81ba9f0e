"""A class as records: who handed in what, where each stands, and what could not be graded."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from grader.records import Report, Status


@dataclass(frozen=True)
class HandIn:
    """One student's one file: where it lies below the folder or archive, and what should be said about finding it.

    ``aliases`` are other names of the student that a file's name gave away, such as the number in Canvas.
    """

    student: str
    aliases: tuple[str, ...]
    origin: str
    notices: tuple[str, ...] = ()


@dataclass(frozen=True)
class Trouble:
    """A student whose file could not be told: none, or several."""

    student: str
    text: str


@dataclass(frozen=True)
class Roster:
    """Everyone who was found, by name."""

    hand_ins: tuple[HandIn, ...]
    troubles: tuple[Trouble, ...]


@dataclass(frozen=True)
class Key:
    """What a result depends on: the file (its digest and kind), the kit that graded it, the seed it was asked with."""

    hand_in: str
    kit: str
    seed: int


@dataclass(frozen=True)
class Place:
    """A student's hand-in and the file and seed under which its result is kept."""

    hand_in: HandIn
    digest: str
    seed: int


@dataclass(frozen=True)
class Register:
    """Who is in a run, written when it starts. ``seeds`` are all that it may draw from."""

    source: str
    places: tuple[Place, ...]
    troubles: tuple[Trouble, ...]


@dataclass(frozen=True)
class Mark:
    """One line of the rubric, as one student has it."""

    id: str
    status: Status
    points: int
    max_points: int


@dataclass(frozen=True)
class Standing:
    """What one student got, in brief. ``isolation`` is the layers' line for people."""

    hand_in: HandIn
    seed: int
    score: int
    max_score: int
    marks: tuple[Mark, ...]
    misconceptions: tuple[tuple[str, str], ...]
    isolation: str
    seconds: float


@dataclass(frozen=True)
class Casualty:
    """A hand-in that the grader failed on: no score, least of all a zero."""

    hand_in: HandIn
    text: str


@dataclass(frozen=True)
class Cohort:
    """The end of a run, in the roster's order. ``graded`` counts the files that this run, not an earlier one, ran."""

    standings: tuple[Standing, ...]
    casualties: tuple[Casualty, ...]
    troubles: tuple[Trouble, ...]
    graded: int
    seconds: float


Show: TypeAlias = Callable[[int, int], None]  # told how many of how many are done


_mark = lru_cache(maxsize=None)(Mark)  # a class has few different ones


def standing(place: Place, report: Report) -> Standing:
    """The report in brief."""
    marks = tuple(_mark(r.id, r.status, r.points, r.max_points) for r in report.results)
    named = tuple((d.component, d.misconception) for d in report.diagnoses)
    isolation = (report.environment.isolation or ("nothing was run",))[0]
    hand_in = place.hand_in
    return Standing(hand_in, place.seed, report.score, report.max_score, marks, named, isolation, report.seconds)
