"""The rubric's face in pytest: `pytest --submission FILE` shows every line of the rubric as a test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.grading import Grader
from grader.kit import Kit
from grader.records import GraderFault, Report, Result, Submission, UsageError
from grader.render.causes import totals
from grader.render.screen import PLAIN, shown
from grader.submission import read


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add --submission and --submission-seed."""
    group = parser.getgroup("grader")
    group.addoption("--submission", metavar="FILE", help="grade this hand-in: every line of the rubric is a test")
    group.addoption("--submission-seed", metavar="N", type=int, default=0, help="draw other numbers to ask with")


_SUBMISSION = pytest.StashKey[Submission]()
_REPORT = pytest.StashKey[Report]()


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> None:
    """With --submission no conftest.py is run: one may lie beside the hand-in.

    pytest reads a pytest.ini there before any plugin: `pytest -c /dev/null --submission FILE` keeps it out.
    """
    if early_config.known_args_namespace.submission:
        early_config.known_args_namespace.noconftest = True


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """With --submission nothing else is collected: not the kit's own tests, not the student's folder."""
    if config.getoption("--submission"):
        config.args = [str(Path(__file__))]
        config.option.noconftest = True
        try:
            config.stash[_SUBMISSION] = read(Path(config.getoption("--submission")))
        except UsageError as error:
            raise pytest.UsageError(str(error)) from None


class Rubric(pytest.File):
    """Grades once, when collected; the lines are its items."""

    def collect(self) -> Iterator[pytest.Item]:
        """One item per result."""
        try:
            grader = Grader(Kit.here(), self.config.getoption("--submission-seed"))
            report = grader.grade(self.config.stash[_SUBMISSION])
        except GraderFault as error:
            raise self.CollectError(f"nothing was graded, and that is not the hand-in's fault: {error}") from None
        self.config.stash[_REPORT] = report
        for result in report.results:
            yield Line.from_parent(self, name=result.id, result=result)


class Line(pytest.Item):
    """One line of the rubric."""

    def __init__(self, *, result: Result, **rest: object) -> None:
        super().__init__(**rest)  # type: ignore[arg-type]  # what pytest's from_parent passes on
        self.result = result
        self.user_properties += [("points", result.points), ("max_points", result.max_points)]

    def runtest(self) -> None:
        """Fail with the report's own words."""
        if self.result.status != "passed":
            raise LostPoints(self.result)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: object = None) -> str:
        """No traceback: the line's status, message and hint."""
        if not isinstance(excinfo.value, LostPoints):
            return str(excinfo.getrepr())
        result = excinfo.value.result
        return f"{result.status}, {result.points}/{result.max_points} points: {result.message}\nHint: {result.hint}"

    def reportinfo(self) -> tuple[Path, int, str]:
        """The claim, as the heading of a failure."""
        return self.path, 0, f"{self.result.id}: {self.result.claim}"


class LostPoints(Exception):
    """A line that did not pass."""

    def __init__(self, result: Result) -> None:
        super().__init__(result.message)
        self.result = result


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """What is no test's own: the score, by component too, and the likely causes."""
    report = config.stash.get(_REPORT, None)
    if report is None:
        return
    terminalreporter.section(f"score {report.score}/{report.max_score}")
    for name, score, most, *_ in totals(report):
        terminalreporter.line(f"{name:<20}{score}/{most}")
    for diagnosis in report.diagnoses:
        terminalreporter.line(shown(f"Likely cause: {diagnosis.sentence}", PLAIN))


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """This very file stands for the rubric."""
    if file_path == Path(__file__) and parent.config.getoption("--submission"):
        return Rubric.from_parent(parent, path=file_path)
    return None
