"""Lost lines by cause, the most important first: for outputs that have room for a few."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass

from grader.records import COMPONENTS, Report, Result, Submission

_RANK = {"todo": 1, "blocked": 2}  # what was begun and went wrong comes first
_LINE = re.compile(r"(?:, at |\()line (\d+)(?:: `|\):)")


@dataclass(frozen=True)
class Cause:
    """Lines of the report that were lost for one and the same reason."""

    results: tuple[Result, ...]

    @property
    def first(self) -> Result:
        return self.results[0]

    @property
    def lost(self) -> int:
        return sum(result.max_points - result.points for result in self.results)

    @property
    def names(self) -> str:
        """All ids, in rubric order."""
        return ", ".join(result.id for result in self.results)


def causes(report: Report) -> tuple[Cause, ...]:
    """Faults before what is still to do before what waits; within these, by points lost."""
    groups: dict[tuple[str, str], list[Result]] = {}
    for result in report.results:
        if result.status != "passed":
            reason = result.component if result.status == "todo" else result.message
            groups.setdefault((result.status, reason), []).append(result)
    found = [Cause(tuple(results)) for results in groups.values()]
    return tuple(sorted(found, key=lambda cause: (_RANK.get(cause.first.status, 0), -cause.lost)))


def next_line(report: Report) -> Result | None:
    """The line to work on: the first that was begun and did not pass, else the first that is still to do."""
    lost = [result for result in report.results if result.status not in ("passed", "blocked")]
    return next((result for result in lost if result.status != "todo"), lost[0] if lost else None)


def next_step(first: Result) -> str:
    """What to do next, in one sentence."""
    if first.status == "unloadable":
        return "Make the file load; nothing else can be looked at before."
    return f"{first.id}: {first.claim}."


def totals(report: Report) -> tuple[tuple[str, int, int, int, int], ...]:
    """Per graded component: name, points, most points, lines passed, lines."""
    found = []
    for component in COMPONENTS:
        results = report.of(component)
        if results:
            points = sum(r.points for r in results), sum(r.max_points for r in results)
            found.append((component, *points, sum(r.status == "passed" for r in results), len(results)))
    return tuple(found)


def line_of(result: Result, submission: Submission) -> int | None:
    """The line of the student's file that a result is about: of the fault, else where its class begins."""
    if submission.text is None or submission.name.endswith(".ipynb"):
        return None  # a notebook's lines are not the file's
    count = len(submission.text.splitlines())
    told = [int(number) for number in _LINE.findall(result.message) if len(number) < 9]
    lines = [line for line in told if 0 < line <= count]
    return lines[0] if lines else _class_line(result.component, submission.text)


def _class_line(name: str, text: str) -> int | None:
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    found = [node.lineno for node in tree.body if isinstance(node, ast.ClassDef) and node.name == name]
    return found[-1] if found else None
