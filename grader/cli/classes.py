"""`grader class` and `grader regrade`: prints what `class_command` has to say."""

from __future__ import annotations

import argparse
from typing import Any

from grader.class_command import add_parsers
from grader.cli.output import hand_over, show


def add(commands: Any) -> None:
    """Add both commands' parsers."""
    add_parsers(commands, _run)


def _run(options: argparse.Namespace) -> int:
    told = options.command(options, show)
    hand_over(told.text, None)
    status: int = told.status
    return status
