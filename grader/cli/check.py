"""`grader check`: one hand-in, one report."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from grader.cli.output import hand_over
from grader.cli.terminal import Progress, style_of
from grader.grading import Grader
from grader.isolation import LEVELS
from grader.kit import Kit
from grader.notices import confirmations
from grader.records import COMPONENTS, Probe, Report, Submission, UsageError
from grader.render import RENDERERS, terminal
from grader.rubric import RUBRIC
from grader.submission import read

FULL, LOST = 0, 1


def add(commands: Any) -> None:
    """Add the command's parser."""
    check = commands.add_parser("check", help="grade one hand-in", description="Grade one hand-in.")
    check.add_argument("file", nargs="?", type=Path, help="the hand-in (default: the stub)")
    check.add_argument("--format", default="terminal", choices=("terminal", *RENDERERS))
    check.add_argument("--output", type=Path, help="write the report to this file instead of printing it")
    check.add_argument("--seed", type=int, default=0, help="draw other numbers to ask with (default: 0)")
    check.add_argument("--component", action="append", choices=COMPONENTS, help="only this component (repeatable)")
    check.add_argument(
        "--hint", action="count", default=0, help="show a hint below each line that did not pass; again for the next"
    )
    check.add_argument(
        "--pass-mark", type=_points, default=None, help="exit status 0 from this score on (default: full marks)"
    )
    check.add_argument(
        "--require-isolation",
        choices=LEVELS,
        help="grade nothing when less than this is there (default: limits on Linux)",
    )
    check.add_argument(
        "--oracle",
        action="store_true",
        help="also say where it equals the reference with all parameters different (costs no marks; needs solution/)",
    )
    check.add_argument("--watch", action="store_true", help="grade again whenever the file is saved, until Ctrl-C")
    check.set_defaults(run=_check)


def _points(text: str) -> int:
    points = int(text)
    if not 0 <= points <= 100:
        raise argparse.ArgumentTypeError("a score is between 0 and 100")
    return points


def _check(options: argparse.Namespace) -> int:
    path = options.file or Kit.here().stub
    submission = read(path)
    if options.watch:
        report = _watched(path, options)
    else:
        with Progress() as progress:
            report = _grading(options, progress.asking)(submission)
        _hand_over(report, options)
        if options.output:
            print(f"Score {report.score}/{report.max_score}; the report is in {options.output}")
    enough = report.max_score if options.pass_mark is None else options.pass_mark
    return FULL if report.score >= enough else LOST


def _grading(options: argparse.Namespace, asking: Callable[[Probe], object]) -> Callable[[Submission], Report]:
    wanted = options.component or COMPONENTS
    checks = tuple(check for check in RUBRIC if check.component in wanted)
    kit = Kit.here()
    grader = Grader(kit, options.seed, checks, options.require_isolation, asking=asking)
    grade = partial(grader.grade, draw=options.format == "html")
    if not options.oracle:
        return grade
    if kit.solution is None:
        raise UsageError("--oracle holds a hand-in against the reference, and there is no solution/ here: leave it out")

    def confirmed(submission: Submission) -> Report:
        report = grade(submission)
        told = confirmations(report, grader.confirmed(submission))
        return replace(report, notices=(*report.notices, *told))

    return confirmed


def _hand_over(report: Report, options: argparse.Namespace) -> None:
    if options.format == "terminal":
        text = terminal.render(report, style_of(sys.stdout, options.output is None, options.hint))
    else:
        text = RENDERERS[options.format](report)
    hand_over(text, options.output, exact=options.format != "terminal")


def _watched(path: Path, options: argparse.Namespace) -> Report:
    """Grade on every save, and write --output each time if it is given."""
    from grader.cli.watch import Watch  # and the clock with it, only when used

    if options.format != "terminal" and options.output is None:
        raise UsageError(f"--watch shows its runs here; say where to write the {options.format}: --output FILE")

    def grading(asking: Callable[[Probe], object]) -> Callable[[Submission], Report]:
        grade = _grading(options, asking)

        def graded(submission: Submission) -> Report:
            report = grade(submission)
            if options.output:
                _hand_over(report, options)
            return report

        return graded

    return Watch(path, options.hint, options.output, grading).until_stopped()
