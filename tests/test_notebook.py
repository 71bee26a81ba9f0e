"""The grader's face in a notebook: what a kernel has run becomes a hand-in, and the report one output of a cell."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest

from grader.grading import Grader
from grader.kit import Kit
from grader.notebook import graded
from grader.records import UsageError
from grader.render import cell
from grader.submission import from_bytes
from tests.hand_ins import REFERENCE, STUB, broken, class_of

GIVEN = "from typing import List, Optional, Any\nfrom engine import Value\nfrom nn import Linear, Module"
NORM = class_of(REFERENCE, "LayerNorm")
WORSE = class_of(STUB, "LayerNorm")


@pytest.mark.parametrize(
    "history",
    [
        ("", GIVEN, NORM),
        (GIVEN, WORSE, NORM),
        (GIVEN, NORM.replace("Module", "Modul"), NORM),
        (GIVEN, NORM, "class LayerNorm(Module)\n    pass"),
        (GIVEN, NORM, "LayerNorm(3)(None)", '# 18 points\npoints = check("LayerNorm")\npoints'),
        (GIVEN, NORM, "#" * 1_000_000),
        ("#" * 1_000_000, GIVEN, NORM),
    ],
    ids=["once", "written anew", "failed before", "no Python after", "tried out", "long after", "long before"],
)
def test_the_last_definition_counts(history: tuple[str, ...]) -> None:
    """Cells are run again and again, and some of them fail; what the kernel has in the end is graded."""
    report = graded(history, "LayerNorm")
    assert (report.score, report.max_score) == (18, 18)


def test_a_change_for_the_worse_counts_too() -> None:
    """It is the last definition, not the best."""
    assert graded((GIVEN, NORM, WORSE), "LayerNorm").score == 0


def test_a_name_that_is_no_component_is_refused() -> None:
    """Who calls check() by hand is told what there is."""
    with pytest.raises(UsageError, match="LayerNorm"):
        graded((GIVEN,), "Layernorm")


class Page(HTMLParser):
    """The tags and the text of a fragment."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.text = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.tags.append(tag)

    def handle_data(self, data: str) -> None:
        self.text += data


def shown(text: str) -> Page:
    """A hand-in's report below a cell."""
    return Page(cell.render(Grader(Kit.here()).grade(from_bytes("a.ipynb.py", text.encode()))))


def test_text_of_a_hand_in_stays_text() -> None:
    """A message that is markup is shown, not rendered, and no control character gets through."""
    page = shown(broken("LayerNorm", "raise ValueError('<script>alert(1)</script>' + chr(0x202E) + chr(27))"))
    assert "script" not in page.tags and "<script>alert(1)</script>[U+202E][U+001B]" in page.text


def test_what_is_still_to_do_is_said_once() -> None:
    """Every line is there with its points; what todo means, once, and no hint for what nobody has begun."""
    page = shown(STUB.read_text(encoding="utf-8"))
    assert page.text.count("Not written yet") == 1 and page.text.count("todo") == page.tags.count("tr")
    assert "details" not in page.tags and "MultiHeadAttention: 0 of 40 points" in page.text


def test_full_marks_are_one_line_each() -> None:
    """Nothing is left to explain."""
    page = shown(REFERENCE.read_text(encoding="utf-8"))
    assert "table" not in page.tags and "LayerNorm: 18 of 18 points, 7 of 7 checks passed" in page.text
