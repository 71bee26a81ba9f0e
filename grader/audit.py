"""The kit grades itself: the reference, the stub and the whole corpus, under many seeds, in parallel."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from grader.checks.check import Check
from grader.corpus import Case, cases
from grader.findings import Line, Outcome
from grader.grading import Grader
from grader.kit import Kit
from grader.progress import Progress
from grader.records import Report, UsageError
from grader.rubric import RUBRIC
from grader.spread import spread
from grader.submission import read


class Unnamed(Grader):
    """Grades without naming misconceptions: under seeds that are not recorded, their numbers take minutes to ask."""

    def __init__(self, kit: Kit, seed: int, checks: tuple[Check, ...] = RUBRIC) -> None:
        super().__init__(kit, seed, checks)
        self._comparable = {}


@dataclass(frozen=True)
class Task:
    """One hand-in to grade with one seed; ``thorough`` also names its fault and looks who alone catches it.

    ``oracle`` also asks what it equals with all parameters different.
    """

    case: Case
    seed: int
    thorough: bool
    kit: Kit
    oracle: bool = False


def corpus_of(kit: Kit) -> Path:
    """Where a checkout keeps its corpus."""
    return kit.exercise.parent / "tests" / "submissions"


def plan(kit: Kit, folder: Path, seeds: Sequence[int], oracle: bool = False) -> list[Task]:
    """Everything that an audit grades; ``oracle``: it is asked with the first seed.

    Raises UsageError where there is no corpus or no reference.
    """
    corpus = cases(folder)
    if kit.solution is None:
        raise UsageError("there is no solution/ here: an audit needs the full kit, an installed grader has only a part")
    known = Case(kit.solution / "transformer_block.py", "reference"), Case(kit.stub, "stub")
    first = seeds[0]
    return [Task(c, seed, seed == first, kit, oracle and seed == first) for seed in seeds for c in (*known, *corpus)]


def audit(tasks: Sequence[Task], jobs: int) -> Iterator[tuple[Outcome, Progress]]:
    """The outcome of every task as it comes."""
    return spread(mark, tasks, jobs)


def mark(task: Task) -> Outcome:
    """Grade one hand-in. A grader that breaks is an outcome too, so that the others are still heard of."""
    try:
        return _marked(task)
    except Exception as error:  # noqa: BLE001 -- whatever it is, it is the audit's to report
        return Outcome(task.case, task.seed, broken=f"{type(error).__name__}: {error}")


def _marked(task: Task) -> Outcome:
    grader = _grader(task.kit, task.seed, task.thorough)
    submission = read(task.case.path)
    report = grader.grade(submission)
    names = tuple(diagnosis.misconception for diagnosis in report.diagnoses)
    outcome = Outcome(task.case, task.seed, report.score, _lines(report), names if task.thorough else None)
    if task.oracle:
        outcome = replace(outcome, confirmed=grader.confirmed(submission))
    if task.thorough and task.case.kind == "wrong":
        return replace(outcome, alone=_alone(task, outcome))
    return outcome


@cache
def _grader(kit: Kit, seed: int, naming: bool, left_out: str | None = None) -> Grader:
    """One for each seed and process: what is expected is asked once."""
    checks = tuple(check for check in RUBRIC if check.id != left_out)
    return Grader(kit, seed, checks) if naming else Unnamed(kit, seed, checks)


def _alone(task: Task, outcome: Outcome) -> str | None:
    """The check that alone catches this fault: with it left out, nothing is lost."""
    if len(outcome.ruled) != 1:
        return None
    check = outcome.ruled[0].id
    report = _grader(task.kit, task.seed, False, check).grade(read(task.case.path))
    return check if report.score == report.max_score else None


def _lines(report: Report) -> tuple[Line, ...]:
    return tuple(Line(r.id, (r.component, r.property), r.status, r.max_points - r.points) for r in report.results)
