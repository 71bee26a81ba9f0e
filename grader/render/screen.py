"""What a terminal can show, and text laid out for it: wrapped, coloured, in ASCII if need be. Pure."""

from __future__ import annotations

import re
import textwrap
from dataclasses import dataclass

MARKS = {"passed": "✓", "failed": "✗", "todo": "·", "blocked": "…"}
ASCII_MARKS = {"passed": "+", "failed": "x", "todo": ".", "blocked": "-"}
COLOURS = {"passed": "32", "failed": "31", "todo": "33", "blocked": "2"}
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]")
_PLAIN = str.maketrans(
    {"—": "-", "…": "...", "✓": "+", "✗": "x", "·": ".", "“": '"', "”": '"', "’": "'", "×": "x", "─": "-"}
)


@dataclass(frozen=True)
class Style:
    """What the terminal can show: columns, colour, characters beyond ASCII; and how many hints are wanted."""

    width: int = 80
    colour: bool = False
    unicode: bool = True
    hints: int = 0


PLAIN = Style()


def mark(status: str, style: Style) -> str:
    """The sign of a line's status."""
    return (MARKS if style.unicode else ASCII_MARKS).get(status, "!")


def wrapped(text: str, indent: str, style: Style) -> list[str]:
    """Lines that begin with ``indent``, and then as far in."""
    blank = " " * min(len(indent), style.width // 3)
    return textwrap.wrap(shown(text, style), style.width - 1, initial_indent=indent, subsequent_indent=blank)


def painted(text: str, code: str, style: Style) -> str:
    """Text in a colour, where colours are wanted."""
    return f"\x1b[{code}m{text}\x1b[0m" if style.colour else text


def shown(text: str, style: Style) -> str:
    """Text without control characters (a hand-in's may steer the terminal), in ASCII where it must be."""
    text = _CONTROL.sub("?", text)
    return text if style.unicode else text.translate(_PLAIN).encode("ascii", "replace").decode("ascii")
