"""`grader handout`: what students and their systems get."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from grader.grading import Kit
from grader.handout import PARTS, USUAL, Order, build
from grader.records import UsageError

FULL = 0


def add(commands: Any) -> None:
    """Add the command's parser."""
    listed = "\n".join(f"  {name:<10} {what}" for name, (what, _) in PARTS.items())
    command = commands.add_parser(
        "handout",
        help="build what students and their systems get",
        description="Build what students and their systems get, and prove that it holds nothing of solution/.",
        epilog=f"parts:\n{listed}\n\nWithout a part: {', '.join(USUAL)}.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    command.add_argument("parts", nargs="*", metavar="PART", help="only these (see below)")
    command.add_argument(
        "--into", type=Path, default=Path("build/handout"), metavar="DIR", help="the folder (default: build/handout)"
    )
    command.set_defaults(run=_handout)


def _handout(options: argparse.Namespace) -> int:
    strangers = [part for part in options.parts if part not in PARTS]
    if strangers:
        raise UsageError(f"there is no part {strangers[0]}; choose from {', '.join(PARTS)}")
    kit, order = Kit.here(), Order(options.into)
    for part in dict.fromkeys(options.parts or USUAL):
        for line in build(part, kit, order):
            print(line, flush=True)
    return FULL
