"""`grader pr`: a pull request graded with the grader of the base branch."""

from __future__ import annotations

import argparse
import os
import secrets
import sys
from pathlib import Path
from typing import Any

from grader.cli.output import hand_over
from grader.git import Repository
from grader.grading import Grader
from grader.isolation import LEVELS
from grader.kit import Kit
from grader.pull_request import Allowed, hand_in
from grader.records import GraderFault, Reason, Report, Ungraded
from grader.render import RENDERERS, github, junit, terminal, ungraded
from grader.writing import write_whole

FULL, LOST, BROKEN, REFUSED = 0, 1, 3, 4
STUB = "exercise/transformer_block.py"
FILES = {"json": "report.json", "junit": "junit.xml", "markdown": "summary.md"}  # in the folder of --out


def add(commands: Any) -> None:
    """Add the command's parser."""
    pr = commands.add_parser(
        "pr",
        help="grade a pull request",
        description="Grade a pull request with this checkout's grader: run it in a checkout of the base branch.",
        epilog="Exit status: 0 enough points, 1 marks lost, 2 wrong usage, 3 the grader broke, 4 refused: not graded.",
    )
    pr.add_argument("--base", required=True, metavar="COMMIT", help="the tip of the base branch")
    pr.add_argument("--head", required=True, metavar="COMMIT", help="the head; fetched, never checked out")
    pr.add_argument("--file", default=STUB, metavar="PATH", help=f"the hand-in in the repository (default: {STUB})")
    pr.add_argument(
        "--allow",
        action="append",
        default=[],
        metavar="PATH",
        help="may change, too: a file, or a folder/ (repeatable)",
    )
    pr.add_argument("--summary", dest="markdown", type=Path, metavar="FILE", help="write Markdown there")
    pr.add_argument("--junit", type=Path, metavar="FILE", help="write JUnit XML there")
    pr.add_argument("--json", type=Path, metavar="FILE", help="write the report as JSON there")
    pr.add_argument("--out", type=Path, metavar="DIR", help=f"write {', '.join(FILES.values())} into this folder")
    pr.add_argument("--annotations", action="store_true", help="print GitHub's workflow commands, too")
    pr.add_argument("--pass-mark", type=_points, default=100, metavar="N", help="status 0 from here on (default: 100)")
    pr.add_argument(
        "--require-isolation", choices=LEVELS, default="files", help="grade nothing when less is there (default: files)"
    )
    pr.set_defaults(run=_pr)


def _points(text: str) -> int:
    points = int(text)
    if not 0 <= points <= 100:
        raise argparse.ArgumentTypeError("a score is between 0 and 100")
    return points


def _pr(options: argparse.Namespace) -> int:
    allowed = Allowed(options.file, tuple(options.allow))
    try:
        found = hand_in(Repository(Path.cwd()), options.base, options.head, allowed)
        if isinstance(found, Ungraded):
            _hand_over_ungraded(found, options)
            return REFUSED
        report = Grader(Kit.here(), require=options.require_isolation).grade(found)
    except GraderFault as fault:
        _hand_over_ungraded(Ungraded("broken", options.file, (Reason("", str(fault)),)), options)
        return BROKEN
    _hand_over(report, options)
    return FULL if report.score >= options.pass_mark else LOST


def _hand_over(report: Report, options: argparse.Namespace) -> None:
    for name, path in _outputs(options):
        write_whole(path, junit.render(report, options.file) if name == "junit" else RENDERERS[name](report))
    hand_over(_guarded(terminal.render(report), options), None, exact=True)
    if options.annotations:
        hand_over(github.render(report, options.file), None, exact=True)


def _hand_over_ungraded(found: Ungraded, options: argparse.Namespace) -> None:
    for name, path in _outputs(options):
        write_whole(path, ungraded.RENDERERS[name](found))
    if options.annotations:
        hand_over(_guarded(ungraded.text(found), options) + ungraded.github(found), None, exact=True)
    else:
        print(f"grader: {ungraded.text(found)}", end="", file=sys.stderr)


def _guarded(text: str, options: argparse.Namespace) -> str:
    """Text in which the runner takes nothing for a command, where there is a runner."""
    token = secrets.token_hex(16)
    runner = options.annotations or os.environ.get("GITHUB_ACTIONS") == "true"
    return f"::stop-commands::{token}\n{text}\n::{token}::\n" if runner else text


def _outputs(options: argparse.Namespace) -> list[tuple[str, Path]]:
    """Which form goes into which file."""
    found = [(name, getattr(options, name)) for name in FILES if getattr(options, name)]
    if options.out:
        options.out.mkdir(parents=True, exist_ok=True)
        found += [(name, options.out / file) for name, file in FILES.items()]
    return found
