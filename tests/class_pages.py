"""Results of a class made by hand, of any size, for the page; also with every string trying to break out of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from grader.class_results import ClassResults, Excerpt, Likeness, Line, Run, Shared, Student, Twins
from grader.records import Status
from grader.rubric import RUBRIC
from grader.similarity import Pair, Passage
from tests.hostile import EVERYTHING

CHECKS = tuple(Line(check.id, check.component, check.claim, check.points) for check in RUBRIC)
STATUSES: tuple[Status, ...] = ("passed", "passed", "passed", "failed", "blocked", "raised", "todo", "timeout")
PAIR = Pair(0, 1, 0.8765, 120, 90, 2.25, (Passage((3, 5), (7, 9), 50.0),))
RUN = Run("0" * 64, "0.1.0, Python 3.12.1", "0, the public one", (("full (seccomp)", 3),), 3, 1.5)


def student(name: str, number: int) -> Student:
    """The higher the number, the more is lost."""
    fates = tuple(STATUSES[number * (place + 3) % (1 + number % len(STATUSES))] for place in range(len(CHECKS)))
    points = tuple(line.max_points if status == "passed" else 0 for line, status in zip(CHECKS, fates))
    return Student(name, sum(points), 100, fates, points)


def likeness(names: Sequence[str], text: str) -> Likeness:
    """One group and one pair."""
    excerpts = (Excerpt((3, 5), (7, 9), (text, text)), Excerpt((30, 50), (70, 90), None))
    return Likeness((tuple(names[2:4]),), (Twins((names[0], names[1]), (0, 2), PAIR, excerpts),), len(names) - 1, 1)


def made(count: int, name: str = "Student", text: str = "y = x @ W") -> ClassResults:
    """A class of so many, with something of everything."""
    names = [f"{name} {number}" for number in range(count)]
    told = (Shared("LayerNorm: norm-affine-missing", f"Your layer has no scale: {text}", tuple(names[:9])),)
    return ClassResults(
        title=name,
        checks=CHECKS,
        students=tuple(student(who, number) for number, who in enumerate(names)),
        misconceptions=told,
        notices=told,
        casualties=(Shared("", f"the reference did not answer: {text}", ("Ada",)),),
        troubles=(Shared("", f"several candidates: {text}", ("Bo", "Cleo")),),
        likeness=likeness(names, text) if count > 3 else Likeness((), (), count, 0),
        run=replace(RUN, isolation=((text, count),)),
        pass_mark=60,
    )


def hostile() -> ClassResults:
    """A trick in every place that holds text of a student."""
    return made(12, EVERYTHING, EVERYTHING)
