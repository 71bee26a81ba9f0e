"""`grader class` and `grader regrade`: what they take, and what they have to say; the command line prints it."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from grader import class_page, gradebook, gradebook_csv
from grader.classroom import Classroom, Settings, make_folder, registered, reports
from grader.cohort import Cohort
from grader.digests import kit_digest
from grader.expectations import PUBLIC_SEED
from grader.isolation import LEVELS, Level, usual
from grader.kit import Kit
from grader.pool import clock, cores
from grader.progress import Progress
from grader.records import UsageError
from grader.regrade import regrade, told
from grader.render import RENDERERS, class_summary
from grader.seeds import Seeds
from grader.writing import write_whole

FULL, LOST, BROKEN = 0, 1, 3
FORMATS = {"html": "html", "json": "json"}  # of reports, and their file endings
_UNFIT = re.compile(r'[\x00-\x1f<>:"/\\|?*]|^[. ]+|[. ]+$')


@dataclass(frozen=True)
class Told:
    """What a command has to say on standard output, and the exit status."""

    text: str
    status: int


Command: TypeAlias = Callable[[argparse.Namespace, Callable[[Progress], None]], Told]


def add_parsers(commands: argparse._SubParsersAction[argparse.ArgumentParser], run: Callable[..., int]) -> None:
    """Add both commands. ``run`` is called with the options, among them ``command``, a Command, and prints for it."""
    grade = commands.add_parser("class", help="grade a folder of hand-ins", description="Grade a folder of hand-ins.")
    grade.add_argument("folder", type=Path, help="the hand-ins: a folder, or a zip of one")
    grade.add_argument("--output", type=Path, help="the run's folder, to go on in (default: FOLDER-run beside it)")
    grade.add_argument("--assignment", help="which of several folders below each student's (nbgrader)")
    grade.add_argument("--cluster", metavar="ADDRESS", help="grade on this Dask cluster, e.g. tcp://HOST:8786")
    seed = grade.add_mutually_exclusive_group()
    seed.add_argument(
        "--seed", type=int, default=PUBLIC_SEED, help="ask everyone with this seed (default: the public one)"
    )
    seed.add_argument("--key-file", type=Path, help="ask with private seeds that the key in this file picks")
    grade.set_defaults(run=run, command=grade_class)
    again = commands.add_parser(
        "regrade", help="judge a run again", description="Judge a run again from what is stored; nobody's code runs."
    )
    again.add_argument("folder", type=Path, metavar="RUN", help="the folder of a run of `grader class`")
    again.add_argument("--ask", action="store_true", help="put new questions to the stored hand-ins, and only these")
    again.set_defaults(run=run, command=judge_class_again)
    for command in (grade, again):
        _add_output(command)


def _add_output(command: argparse.ArgumentParser) -> None:
    command.add_argument("--jobs", type=_count, default=cores(), metavar="N", help="processes (default: the cores)")
    command.add_argument(
        "--require-isolation",
        choices=LEVELS,
        help="grade nothing when less than this is there (default: files on Linux, full on a cluster)",
    )
    command.add_argument("--reports", choices=FORMATS, help="write one report per student into RUN/reports")
    command.add_argument("--csv", type=Path, metavar="PATH", help="write the marks as a plain table")
    command.add_argument(
        "--canvas", type=Path, metavar="EXPORT.csv", help="fill in this gradebook, as Canvas exports it"
    )
    command.add_argument("--canvas-column", metavar="NAME", help="the assignment's title there")
    command.add_argument(
        "--gradebook",
        metavar="URL",
        help="write the marks into nbgrader's gradebook: an SQLite file or a database's URL",
    )
    command.add_argument(
        "--gradebook-assignment",
        metavar="NAME",
        help=f"the assignment there (default: --assignment, {gradebook.NOTEBOOK})",
    )
    class_page.add_options(command)
    command.add_argument("--pass-mark", type=int, metavar="N", help="exit status 1 when somebody has less")


def _required(options: argparse.Namespace) -> Level:
    """What must stand. Whoever reaches a Dask scheduler may run code there, so no hand-in may reach the network."""
    if options.require_isolation:
        level: Level = options.require_isolation
        return level
    if getattr(options, "cluster", None):
        return "full"
    return "files" if sys.platform == "linux" else usual()


def _count(text: str) -> int:
    count = int(text)
    if count < 1:
        raise argparse.ArgumentTypeError("at least 1")
    return count


def grade_class(options: argparse.Namespace, show: Callable[[Progress], None]) -> Told:
    """Grade what is not graded yet, and sum up."""
    _check(options)
    source, kit = options.folder, Kit.here()
    home = source.resolve()
    run = options.output or home.with_name(f"{home.stem if home.suffix == '.zip' else home.name}-run")
    seeds = Seeds.from_file(options.key_file) if options.key_file else Seeds(options.seed)
    settings = Settings(options.jobs, _required(options), seeds, options.assignment, cluster=options.cluster)
    cohort = Classroom(source, run, settings, kit).grade(_timed(show))
    written = _write(options, run, kit, cohort)
    return Told(class_summary.render(cohort, options.pass_mark) + written, _status(cohort, options.pass_mark))


def judge_class_again(options: argparse.Namespace, show: Callable[[Progress], None]) -> Told:
    """Judge everyone again, and say who moved."""
    _check(options)
    kit = Kit.here()
    done = regrade(options.folder, kit, options.jobs, _timed(show), options.ask, _required(options))
    written = _write(options, options.folder, kit, done.cohort)
    return Told(told(done) + written, _status(done.cohort, options.pass_mark))


def _check(options: argparse.Namespace) -> None:
    """Refuse what cannot work before anything is graded."""
    class_page.check(options)
    if options.canvas and not options.canvas_column:
        raise UsageError("--canvas needs --canvas-column: the assignment's title in the gradebook")
    if options.canvas:
        gradebook_csv.canvas_rows(options.canvas)
    if options.csv and not options.csv.resolve().parent.is_dir():
        raise UsageError(f"cannot write {options.csv}: its folder does not exist")
    if options.gradebook:
        gradebook.check(options.gradebook, _assignment(options))


def _assignment(options: argparse.Namespace) -> str:
    """The assignment's name in nbgrader's gradebook."""
    return options.gradebook_assignment or getattr(options, "assignment", None) or gradebook.NOTEBOOK


def _timed(show: Callable[[Progress], None]) -> Callable[[int, int], None]:
    started = clock()
    return lambda done, total: show(Progress(done, total, clock() - started))


def _status(cohort: Cohort, pass_mark: int | None) -> int:
    if cohort.casualties:
        return BROKEN
    return LOST if pass_mark is not None and any(s.score < pass_mark for s in cohort.standings) else FULL


def _write(options: argparse.Namespace, run: Path, kit: Kit, cohort: Cohort) -> str:
    """Everything that was asked for as files; returns where they are."""
    lines = [f"\nThe run is in {run}"]
    if options.reports:
        lines.append(_write_reports(run, kit, options.reports))
    if options.csv:
        write_whole(options.csv, gradebook_csv.plain(cohort))
        lines.append(f"The marks are in {options.csv}")
    if options.canvas_column:
        lines += _write_canvas(options, run / "canvas.csv", cohort)
    if options.gradebook:
        lines += gradebook.write(options.gradebook, _assignment(options), cohort, Path(registered(run).source))
    lines += class_page.write(options, run, kit, cohort)
    return "\n".join(lines) + "\n"


def _write_reports(run: Path, kit: Kit, kind: str) -> str:
    folder, taken = run / "reports", set()
    make_folder(folder)
    for hand_in, report in reports(run, kit_digest(kit)):
        name = _UNFIT.sub("_", hand_in.student)[:100] or "_"
        while name.casefold() in taken:
            name += "_"
        taken.add(name.casefold())
        write_whole(folder / f"{name}.{FORMATS[kind]}", RENDERERS[kind](report))
    return f"{len(taken)} reports are in {folder}"


def _write_canvas(options: argparse.Namespace, path: Path, cohort: Cohort) -> list[str]:
    if options.canvas is None:
        write_whole(path, gradebook_csv.canvas(options.canvas_column, cohort))
        return [f"The file for Canvas's import is in {path}"]
    result = gradebook_csv.filled(gradebook_csv.canvas_rows(options.canvas), options.canvas_column, cohort)
    write_whole(path, result.text)
    return [f"The gradebook for Canvas is in {path}", *(f"  {remark}" for remark in result.remarks)]
