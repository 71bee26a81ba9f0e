"""What a class's reports come to: everyone's row, what is said of several, who is like whom."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from grader.class_results import Excerpt, Likeness, Line, Shared, Student, Twins
from grader.cohort import Cohort, HandIn
from grader.records import Report, Result
from grader.similarity import Pair, Similarity

EXCERPT = 24  # lines
_PLACE = re.compile(r" \(class \w+, lines \d+-\d+\)$")  # where it is in one student's file


@dataclass(frozen=True)
class Graded:
    """One hand-in as the run's folder has it; ``text`` is None where it is not kept."""

    hand_in: HandIn
    report: Report
    text: str | None


Names: TypeAlias = Mapping[HandIn, str]


def students(graded: Sequence[Graded], names: Names, checks: Sequence[Line]) -> tuple[Student, ...]:
    """A row for everyone, best first."""
    rows = [_student(one, names[one.hand_in], checks) for one in graded]
    return tuple(sorted(rows, key=lambda row: (-row.score, row.name)))


def _student(one: Graded, name: str, checks: Sequence[Line]) -> Student:
    found: dict[str, Result] = {result.id: result for result in one.report.results}
    lines = [found.get(check.id) for check in checks]
    statuses = tuple(line.status if line else "blocked" for line in lines)
    points = tuple(line.points if line else 0 for line in lines)
    return Student(name, one.report.score, one.report.max_score, statuses, points)


def lines(graded: Iterable[Graded]) -> tuple[Line, ...]:
    """The rubric as the reports have it."""
    every = (result for one in graded for result in one.report.results)
    return tuple({r.id: Line(r.id, r.component, r.claim, r.max_points) for r in every}.values())


def misconceptions(graded: Sequence[Graded], names: Names) -> tuple[Shared, ...]:
    """Most common first."""
    return _shared(
        (f"{d.component}: {d.misconception}", _PLACE.sub("", d.sentence), names[one.hand_in])
        for one in graded
        for d in one.report.diagnoses
    )


def notices(graded: Sequence[Graded], names: Names, remarks: bool) -> tuple[Shared, ...]:
    """What costs no points; notices that differ in numbers alone are one. Remarks name files, and so people."""
    told = [(n.component or "", n.text, names[one.hand_in]) for one in graded for n in one.report.notices]
    if remarks:
        told += [("", text, names[one.hand_in]) for one in graded for text in one.hand_in.notices]
    versions: dict[str, set[str]] = {}
    for _, text, _ in told:
        versions.setdefault(_numberless(text), set()).add(text)
    return _shared(
        (title, min(same) if len(same) == 1 else _numberless(text), name)
        for title, text, name in told
        if (same := versions[_numberless(text)])
    )


def _numberless(text: str) -> str:
    return re.sub(r"\d[\d,]*", "…", text)


def _shared(told: Iterable[tuple[str, str, str]]) -> tuple[Shared, ...]:
    found: dict[tuple[str, str], dict[str, None]] = {}
    for title, text, name in told:
        found.setdefault((title, text), {})[name] = None
    every = (Shared(title, text, tuple(sorted(who))) for (title, text), who in found.items())
    return tuple(sorted(every, key=lambda one: (-len(one.names), one.title, one.text)))


def unscored(cohort: Cohort, names: bool) -> tuple[tuple[Shared, ...], tuple[Shared, ...]]:
    """The grader's casualties, and students without one file to grade; by the same reason together.

    Without ``names`` only how many: reasons name files, and so people.
    """
    casualties = [(one.hand_in.student, one.text) for one in cohort.casualties]
    troubles = [(one.student, one.text) for one in cohort.troubles]
    first, second = (_shared(_told(found, names)) for found in (casualties, troubles))
    return first, second


def _told(found: Sequence[tuple[str, str]], names: bool) -> Iterable[tuple[str, str, str]]:
    if names:
        return [("", text, who) for who, text in found]
    return [("", "The command's summary names them and says why.", f"no. {n}") for n, _ in enumerate(found, 1)]


def likeness(graded: Sequence[Graded], names: Names, found: Similarity, unread: int, quote: bool) -> Likeness:
    """``found`` by name; ``quote``: with the lines themselves."""
    members = {group[0]: group for group in found.same}

    def twins(pair: Pair) -> Twins:
        ends = (pair.one, pair.other)
        texts = [_lines_of(graded[end].text or "") if quote else None for end in ends]
        excerpts = tuple(
            Excerpt(p.one, p.other, (_cut(a, p.one), _cut(b, p.other)) if a is not None and b is not None else None)
            for a, b in [texts]
            for p in pair.passages
        )
        who = [names[graded[end].hand_in] for end in ends]
        more = [len(members.get(end, (end,))) - 1 for end in ends]
        return Twins((who[0], who[1]), (more[0], more[1]), pair, excerpts)

    same = tuple(tuple(sorted(names[graded[end].hand_in] for end in group)) for group in found.same)
    return Likeness(same, tuple(map(twins, found.pairs)), found.kinds, unread)


def _lines_of(text: str) -> list[str]:
    """As Python counts them: a form feed ends no line."""
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def _cut(text: Sequence[str], span: tuple[int, int]) -> str:
    return "\n".join(text[span[0] - 1 : min(span[1], span[0] - 1 + EXCERPT)])
