"""The `grader` command: arguments in, one report out. The only module that prints and exits."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

from grader import flakes
from grader.audit import audit, corpus_of, plan
from grader.corpus import cases
from grader.grading import Grader, Kit
from grader.isolation import LEVELS
from grader.parallel import Progress, cores
from grader.records import COMPONENTS, GraderFault, Report, UsageError
from grader.render import RENDERERS, audit_table, terminal
from grader.rubric import RUBRIC
from grader.submission import read
from grader.tally import tally
from grader.writing import write_whole

FULL, LOST, USAGE, BROKEN = 0, 1, 2, 3
AUDIT_FORMATS = {"terminal": audit_table.terminal, "json": audit_table.as_json, "markdown": audit_table.markdown}


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit status 0, 1, 2 or 3."""
    _speak_utf8()
    try:
        options = _parser().parse_args(argv)
        status: int = options.run(options)
        return status
    except UsageError as error:
        print(f"grader: {error}", file=sys.stderr)
        return USAGE
    except GraderFault as error:
        print(f"grader: nothing was graded, and that is not the hand-in's fault: {error}", file=sys.stderr)
        return BROKEN
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # whoever read us has gone; do not fail again at exit
        return BROKEN
    except KeyboardInterrupt:
        print("\ngrader: interrupted", file=sys.stderr)
        return BROKEN
    except Exception as error:  # a fault of the grader must not look like lost marks
        print(f"grader: broken, nothing was graded: {type(error).__name__}: {error}", file=sys.stderr)
        if os.environ.get("GRADER_TRACEBACK"):
            raise
        return BROKEN


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="grader", description="Grades the transformer-block exercise.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    check = commands.add_parser("check", help="grade one hand-in", description="Grade one hand-in.")
    check.add_argument("file", nargs="?", type=Path, help="the hand-in (default: the stub)")
    check.add_argument("--format", default="terminal", choices=("terminal", *RENDERERS))
    check.add_argument("--output", type=Path, help="write the report to this file instead of printing it")
    check.add_argument("--seed", type=int, default=0, help="draw other numbers to ask with (default: 0)")
    check.add_argument("--component", action="append", choices=COMPONENTS, help="only this component (repeatable)")
    check.add_argument(
        "--hint",
        action="count",
        default=0,
        help="show a hint below each line that did not pass; again for the next one",
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
    _add_audit(commands.add_parser("audit", help="let the kit grade itself", description="Let the kit grade itself."))
    return parser


def _add_audit(command: argparse.ArgumentParser) -> None:
    command.add_argument("--corpus", type=Path, help="hand-ins in right/ and wrong/ (default: the checkout's)")
    command.add_argument("--seeds", type=_count, default=3, metavar="N", help="grade with so many seeds (default: 3)")
    command.add_argument("--first-seed", type=int, default=0, metavar="N", help="the first of them (default: 0)")
    command.add_argument("--jobs", type=_count, default=cores(), metavar="N", help="processes (default: the cores)")
    command.add_argument("--format", default="terminal", choices=AUDIT_FORMATS)
    command.add_argument("--output", type=Path, help="write the figures to this file instead of printing them")
    command.add_argument("--long", action="store_true", help="look for flakes of the gradient checks instead")
    command.add_argument("--grades", type=_count, default=10_000, metavar="N", help="for --long (default: 10,000)")
    command.add_argument("--notes", type=Path, default=Path("build/audit-long.jsonl"), help="what --long has done")
    command.set_defaults(run=_audit)


def _count(text: str) -> int:
    count = int(text)
    if count < 1:
        raise argparse.ArgumentTypeError("at least 1")
    return count


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
    report = grader.grade(submission)
    _deliver(report, options)
    enough = report.max_score if options.pass_mark is None else options.pass_mark
    return FULL if report.score >= enough else LOST


def _deliver(report: Report, options: argparse.Namespace) -> None:
    if options.format == "terminal":
        text = terminal.render(report, _style(sys.stdout, options.output is None, options.hint))
    else:
        text = RENDERERS[options.format](report)
    if options.output is None:
        sys.stdout.write(text)
        sys.stdout.flush()
    else:
        write_whole(options.output, text)
        print(f"Score {report.score}/{report.max_score}; the report is in {options.output}")


def _audit(options: argparse.Namespace) -> int:
    kit = Kit.here()
    folder = options.corpus or corpus_of(kit)
    if options.long:
        return _long_audit(options, kit, folder)
    tasks = plan(kit, folder, range(options.first_seed, options.first_seed + options.seeds))
    outcomes = []
    for outcome, progress in audit(tasks, options.jobs):
        outcomes.append(outcome)
        _show(progress)
    findings = tally(outcomes, [check.id for check in RUBRIC])
    _hand_over(AUDIT_FORMATS[options.format](findings), options.output)
    return FULL if findings.clean else LOST


def _long_audit(options: argparse.Namespace, kit: Kit, folder: Path) -> int:
    done, todo = flakes.begin(kit, cases(folder), options.grades, options.first_seed, options.notes)
    for stretched, progress in flakes.search(todo, options.jobs, options.notes):
        done.append(stretched)
        _show(progress)
    _hand_over(flakes.told(done, options.format == "json"), options.output)
    return LOST if any(stretched.flakes for stretched in done) else FULL


def _hand_over(text: str, output: Path | None) -> None:
    if output is None:
        sys.stdout.write(text)
        sys.stdout.flush()
    else:
        write_whole(output, text)


def _show(progress: Progress) -> None:
    """One line that is written over on a terminal; elsewhere a line at each tenth."""
    if sys.stderr.isatty():
        end = "\n" if progress.done == progress.total else ""
        print(f"\r{progress.words:<60}", end=end, file=sys.stderr, flush=True)
    elif progress.done * 10 // progress.total > (progress.done - 1) * 10 // progress.total:
        print(progress.words, file=sys.stderr, flush=True)


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


def _speak_utf8() -> None:
    """Nothing that is printed may fail for a character; a terminal that lacks one shows another."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")
