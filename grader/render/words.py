"""Text of a hand-in or of people as HTML: escaped, and what is invisible in it spelled out."""

from __future__ import annotations

import re
from html import escape

from grader.render.visible import cut, one_line, visible

MESSAGE = 4_000


def text(words: str) -> str:
    """The text with its line breaks."""
    return escape(visible(words))


def line(words: str) -> str:
    """The beginning of the text on one line."""
    return escape(cut(one_line(words), 200))


def prose(words: str) -> str:
    """Escaped text; what stands between backticks is code."""
    return re.sub(r"`([^`\n]+)`", r"<code>\1</code>", text(cut(words, MESSAGE)))
