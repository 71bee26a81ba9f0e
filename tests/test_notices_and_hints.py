"""What costs no points but is told, and the steps of hints."""

from __future__ import annotations

import pytest

from grader.checks.ask_attention import attention_overflow
from grader.hints import STEPS, steps
from grader.notices import notices
from grader.records import Fault, Observation, Submission, Transcript
from grader.rubric import RUBRIC


def told(text: str, *observed: Observation) -> str:
    """The texts of all notices on a hand-in."""
    seen = dict(zip(attention_overflow(0), observed))
    return " ".join(n.text for n in notices(Submission("a.py", "0", text), Transcript(seen)))


def test_a_seed_is_told() -> None:
    """random.seed changes other people's random numbers."""
    assert "random.seed" in told("import random\nrandom.seed(0)\n")


def test_an_invisible_character_is_told_with_its_line() -> None:
    """Code that reads other than it runs."""
    assert "Line 2" in told("a = 1\nb = '\u202e'\n") and "U+202E" in told("\u202e")


def test_an_overflow_is_told() -> None:
    """A softmax without shift costs nothing, but should be known."""
    fault = Fault("forward", "OverflowError", "math range error", 3, 0)
    assert "overflows" in told("", Observation("raised", fault))


def test_an_ordinary_hand_in_has_no_notice() -> None:
    """Nothing is told for nothing."""
    assert told("x = 1\n", Observation("answered")) == ""


@pytest.mark.parametrize("check", RUBRIC, ids=lambda check: check.id)
def test_every_line_has_three_hints(check: object) -> None:
    """Each a sentence of its own."""
    found = steps(check.id, check.hint)  # type: ignore[attr-defined]  # a Check
    assert len(set(found)) == 3 and all(len(hint) > 20 for hint in found)


def test_hints_are_for_lines_that_exist() -> None:
    """No hint outlives its line."""
    assert set(STEPS) == {check.id for check in RUBRIC}
