"""`grader check`: one hand-in, one report."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from pathlib import Path
from typing import Any, TextIO

from grader.cli.output import hand_over
from grader.grading import Grader, Kit
from grader.isolation import LEVELS
from grader.records import COMPONENTS, Report
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
    check.set_defaults(run=_check)


def _points(text: str) -> int:
    points = int(text)
    if not 0 <= points <= 100:
        raise argparse.ArgumentTypeError("a score is between 0 and 100")
    return points


def _check(options: argparse.Namespace) -> int:
    kit = Kit.here()
    submission = read(options.file or kit.stub)
    wanted = options.component or COMPONENTS
    checks = tuple(check for check in RUBRIC if check.component in wanted)
    grader = Grader(kit, options.seed, checks, options.require_isolation)
    report = grader.grade(submission, draw=options.format == "html")
    if options.format == "terminal":
        text = terminal.render(report, _style(sys.stdout, options.output is None, options.hint))
    else:
        text = RENDERERS[options.format](report)
    hand_over(text, options.output, exact=options.format != "terminal")
    if options.output:
        print(f"Score {report.score}/{report.max_score}; the report is in {options.output}")
    return _status(report, options.pass_mark)


def _status(report: Report, pass_mark: int | None) -> int:
    enough = report.max_score if pass_mark is None else pass_mark
    return FULL if report.score >= enough else LOST


def _style(stream: TextIO, shown: bool, hints: int) -> terminal.Style:
    """What the stream can show. A file gets 80 columns, UTF-8 and no colour."""
    if not shown:
        return terminal.Style(hints=hints)
    width = min(100, max(50, shutil.get_terminal_size((80, 24)).columns)) if stream.isatty() else 80
    colour = stream.isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"
    return terminal.Style(width, colour, _shows("✓·…", stream), hints)


def _shows(characters: str, stream: TextIO) -> bool:
    try:
        characters.encode(stream.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
