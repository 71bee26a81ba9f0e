"""What the page of a class counts: bins of scores, shares of points, who loses which check, students in columns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import mean, quantiles
from typing import Literal

from grader.class_results import ClassResults, Line, Student
from grader.records import Component, Status

Fate = Literal["passed", "failed", "broke", "blocked", "todo"]
FATES: dict[Fate, str] = {
    "passed": "passed",
    "failed": "failed",
    "broke": "raised, hung or did not load",
    "blocked": "blocked by a failed one",
    "todo": "not written yet",
}
EVERYONE = 120  # students that get a column each
COLUMNS = 100  # groups of students, where there are more


@dataclass(frozen=True)
class Toll:
    """What became of one check: ``lost`` is the mean of the points lost, by everyone."""

    line: Line
    fates: Counter[Fate]
    rate: float
    lost: float


@dataclass(frozen=True)
class Group:
    """One column of the heat map: students who follow each other in rank, from ``first`` (1 is the best) on."""

    first: int
    students: tuple[Student, ...]


def fate(status: Status) -> Fate:
    """A status as the page tells it."""
    if status == "passed" or status == "failed" or status == "blocked" or status == "todo":
        return status
    return "broke"


def bins(students: Sequence[Student]) -> list[tuple[str, int]]:
    """Ten bins of scores and one for full marks: label and count."""
    most = max((s.max_score for s in students), default=100)
    found = Counter(min(9, s.score * 10 // most) if s.score < s.max_score else 10 for s in students)
    labels = [f"{k * most // 10}–{(k + 1) * most // 10 - 1}" for k in range(10)]
    return [(label, found[k]) for k, label in enumerate([*labels, f"{most}"])]


def shares(results: ClassResults, component: Component) -> list[float]:
    """Everyone's share of the component's points."""
    places = [k for k, check in enumerate(results.checks) if check.component == component]
    most = sum(results.checks[k].max_points for k in places)
    return [sum(s.points[k] for k in places) / most for s in results.students] if most else []


def quarters(found: Sequence[float]) -> tuple[float, float, float]:
    """Lower quarter, median and upper quarter."""
    low, middle, high = quantiles(found, n=4, method="inclusive") if len(found) > 1 else [found[0]] * 3
    return low, middle, high


def percent(share: float) -> str:
    """A share for people."""
    return f"{100 * share:.0f} %"


def tolls(results: ClassResults) -> list[Toll]:
    """Every check, the one that takes most points from the class first."""
    found = []
    for place, line in enumerate(results.checks):
        fates = Counter(fate(s.statuses[place]) for s in results.students)
        lost = mean(line.max_points - s.points[place] for s in results.students)
        found.append(Toll(line, fates, fates["passed"] / len(results.students), lost))
    return sorted(found, key=lambda t: (-t.lost, t.rate, t.line.id))


def columns(results: ClassResults) -> list[Group]:
    """Students by score, best first; like patterns stand together. One each, or equal groups of them."""
    ranked = sorted(results.students, key=lambda s: (-s.score, [fate(status) for status in s.statuses], s.name))
    count = len(ranked) if len(ranked) <= EVERYONE else COLUMNS
    edges = [len(ranked) * k // count for k in range(count + 1)] if count else []
    return [Group(a + 1, tuple(ranked[a:b])) for a, b in pairwise(edges)]
