"""Text of a hand-in made harmless to look at: what steers a terminal or turns the reading direction is spelled out."""

from __future__ import annotations

import re

# Controls but for tab and line feed, bidirectional and other invisible marks, surrogates, non-characters.
_INVISIBLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\ufffe\uffff\U000e0000-\U000e007f]"
)


def visible(text: str) -> str:
    """The text with line ends as line feeds, and each invisible character as its number: "U+202E" in brackets."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    return _INVISIBLE.sub(lambda found: f"[U+{ord(found[0]):04X}]", lines)


def one_line(text: str) -> str:
    """The visible text on one line."""
    return " ".join(visible(text).split())


def cut(text: str, most: int) -> str:
    """The text, or its beginning and how much of it is left out, in at most ``most`` characters."""
    if len(text) <= most:
        return text
    told = f" ... ({len(text):,} characters, cut here)"
    return text[: max(0, most - len(told))] + told
