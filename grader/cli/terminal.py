"""What the terminal at hand can show, and the one line on it while a hand-in is graded."""

from __future__ import annotations

import os
import shutil
import sys
from typing import TextIO

from grader.records import Probe
from grader.render.screen import Style


def style_of(stream: TextIO, shown: bool, hints: int) -> Style:
    """What the stream can show. A file gets 80 columns, UTF-8 and no colour."""
    if not shown:
        return Style(hints=hints)
    width = min(100, max(30, shutil.get_terminal_size((80, 24)).columns)) if stream.isatty() else 80
    colour = moves(stream) and "NO_COLOR" not in os.environ
    return Style(width, colour, _shows("✓·…─", stream), hints)


def moves(stream: TextIO) -> bool:
    """Whether there is a terminal with a cursor to move."""
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def _shows(characters: str, stream: TextIO) -> bool:
    try:
        characters.encode(stream.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


class Progress:
    """As a context: the component that is being asked, on a line of its own that is gone afterwards."""

    def __init__(self) -> None:
        self._shown = ""

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        if self._shown:
            print(f"\r{' ' * len(self._shown)}\r", end="", file=sys.stderr, flush=True)

    def asking(self, probe: Probe) -> None:
        """Show whose probe comes next; on a terminal only."""
        text = f"Asking {probe.component} ..."
        if text != self._shown and moves(sys.stderr):
            print(f"\r{text:<{len(self._shown)}}", end="", file=sys.stderr, flush=True)
            self._shown = f"{text:<{len(self._shown)}}"
