"""The `grader` command: arguments in, one report out. The only package that prints and exits."""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import os
import sys
from collections.abc import Sequence

from grader import __version__
from grader.records import GraderFault, UsageError

FULL, LOST, USAGE, BROKEN = 0, 1, 2, 3

# Command, what it does, and the module that is imported only when it is used.
COMMANDS = {
    "check": ("grade one hand-in", "grader.cli.check"),
    "class": ("grade a folder of hand-ins", "grader.cli.classes"),
    "regrade": ("judge a run again after a change of marks", "grader.cli.classes"),
    "pr": ("grade a pull request", "grader.cli.pr"),
    "comment": ("comment on a pull request that was graded", "grader.cli.comment"),
    "audit": ("let the kit grade itself", "grader.cli.audit"),
    "handout": ("build what students and their systems get", "grader.cli.handout"),
    "gradescope": ("grade a submission where Gradescope puts it", "grader.cli.gradescope"),
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit status 0, 1, 2 or 3; a refused pull request has 4."""
    _replace_what_cannot_be_shown()
    try:
        options = _parsed(list(sys.argv[1:] if argv is None else argv))
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


def _parsed(argv: list[str]) -> argparse.Namespace:
    here = [name for name, (_, module) in COMMANDS.items() if importlib.util.find_spec(module)]  # a bundle has a few
    listed = "\n".join(f"  {name:<10} {COMMANDS[name][0]}" for name in here)
    parser = argparse.ArgumentParser(
        prog="grader",
        description="Grades the transformer-block exercise.",
        epilog=f"commands:\n{listed}\n\n`grader COMMAND --help` tells the rest.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"grader {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND", dest="named")
    name = argv[0] if argv and argv[0] in COMMANDS else None
    if name and name not in here:
        raise UsageError(f"`grader {name}` is for instructors and is not in this bundle; it has {', '.join(here)}")
    if name:
        importlib.import_module(COMMANDS[name][1]).add(commands)
    else:
        for other in here:
            commands.add_parser(other)
    return parser.parse_args(argv)


def _replace_what_cannot_be_shown() -> None:
    """Nothing that is printed may fail for a character; a terminal that lacks one shows another."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")
