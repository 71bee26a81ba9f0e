"""`grader handout`: what students and their systems get."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any, get_args

from grader.handout import PARTS, USUAL, Order, build
from grader.isolation import LEVELS
from grader.kit import Kit
from grader.records import UsageError
from grader.render.gradescope import Visibility

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
    for_gradescope = command.add_argument_group("for Gradescope")
    for_gradescope.add_argument("--key-file", type=Path, help="ask with a private seed that the key in this file picks")
    for_gradescope.add_argument(
        "--show", action="append", default=[], type=_tier, metavar="NAME=WHEN",
        help=f"when students see a component, a property or a line: {', '.join(get_args(Visibility))} (repeatable)",
    )  # fmt: skip
    for_gradescope.add_argument(
        "--require-isolation", choices=LEVELS, help="grade nothing when less than this is there (default: limits)"
    )
    command.set_defaults(run=_handout)


def _tier(text: str) -> tuple[str, str]:
    name, _, when = text.partition("=")
    if when not in get_args(Visibility):
        raise argparse.ArgumentTypeError(f"expected NAME={'|'.join(get_args(Visibility))}, not {text}")
    return name, when


def _handout(options: argparse.Namespace) -> int:
    strangers = [part for part in options.parts if part not in PARTS]
    if strangers:
        raise UsageError(f"there is no part {strangers[0]}; choose from {', '.join(PARTS)}")
    kit = Kit.here()
    order = Order(options.into, options.key_file, tuple(options.show), options.require_isolation)
    for part in dict.fromkeys(options.parts or USUAL):
        print(f"{part}: made and proved now, which takes some seconds, or a minute ...", file=sys.stderr, flush=True)
        for line in build(part, kit, order):
            print(line, flush=True)
    return FULL
