"""`grader audit`: the kit grades itself."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from grader import flakes
from grader.audit import audit, corpus_of, plan
from grader.cli.output import hand_over, show
from grader.corpus import cases
from grader.kit import Kit
from grader.pool import cores
from grader.render import audit_table
from grader.rubric import RUBRIC
from grader.tally import tally

FULL, LOST = 0, 1
FORMATS = {"terminal": audit_table.terminal, "json": audit_table.as_json, "markdown": audit_table.markdown}


def add(commands: Any) -> None:
    """Add the command's parser."""
    command = commands.add_parser("audit", help="let the kit grade itself", description="Let the kit grade itself.")
    command.add_argument("--corpus", type=Path, help="hand-ins in right/ and wrong/ (default: the checkout's)")
    command.add_argument("--seeds", type=_count, default=3, metavar="N", help="grade with so many seeds (default: 3)")
    command.add_argument("--first-seed", type=int, default=0, metavar="N", help="the first of them (default: 0)")
    command.add_argument("--oracle", action="store_true", help="also hold them against the reference in every layout")
    command.add_argument("--jobs", type=_count, default=cores(), metavar="N", help="processes (default: the cores)")
    command.add_argument("--format", default="terminal", choices=FORMATS)
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


def _audit(options: argparse.Namespace) -> int:
    kit = Kit.here()
    folder = options.corpus or corpus_of(kit)
    if options.long:
        return _long_audit(options, kit, folder)
    tasks = plan(kit, folder, range(options.first_seed, options.first_seed + options.seeds), options.oracle)
    outcomes = []
    for outcome, progress in audit(tasks, options.jobs):
        outcomes.append(outcome)
        show(progress)
    findings = tally(outcomes, [check.id for check in RUBRIC])
    hand_over(FORMATS[options.format](findings), options.output)
    return FULL if findings.clean else LOST


def _long_audit(options: argparse.Namespace, kit: Kit, folder: Path) -> int:
    done, todo = flakes.begin(kit, cases(folder), options.grades, options.first_seed, options.notes)
    for stretched, progress in flakes.search(todo, options.jobs, options.notes):
        done.append(stretched)
        show(progress)
    hand_over(flakes.told(done, options.format == "json"), options.output)
    return LOST if any(stretched.flakes for stretched in done) else FULL
