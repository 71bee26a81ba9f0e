"""Names for mistakes: a fingerprint that fits one misconception gets its name; one that fits several gets none."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.checks.contract import fitting
from grader.diagnosis import ENOUGH, Fingerprint, alike, fingerprint, name_of
from grader.expectations import PUBLIC_SEED
from grader.grading import Grader
from grader.kit import Kit
from grader.submission import read

RIGHT_ONES = Path(__file__).parent / "submissions" / "right"
ATTENTION = "MultiHeadAttention"


def mark(answer: float, weight: float = 0.0) -> Fingerprint:
    """Enough numbers, all the same, and one of the weights."""
    return Fingerprint(("answered", *[answer] * ENOUGH), (weight,))


RIGHT = mark(1.0, 1.0)
PRINTS = {"": RIGHT, "one": mark(2.0), "other": mark(3.0), "hidden": mark(1.0, 5.0)}


def test_what_answers_like_a_misconception_gets_its_name() -> None:
    """Whatever its weights' gradients are: the answers say enough."""
    assert name_of(mark(2.0, 77.0), [PRINTS]) == "one"


def test_a_right_hand_in_gets_no_name() -> None:
    """Also when a misconception answers alike."""
    assert name_of(RIGHT, [PRINTS]) is None


def test_weights_tell_what_answers_hide() -> None:
    """The answers are the reference's, the gradients of the weights are those of a mistake."""
    assert name_of(mark(1.0, 5.0), [PRINTS]) == "hidden"


def test_unknown_weights_get_no_name() -> None:
    """The answers are the reference's, the gradients of the weights nobody's."""
    assert name_of(mark(1.0, 6.0), [PRINTS]) is None


def test_two_mistakes_that_answer_alike_get_no_name() -> None:
    """Nothing says which of the two it is."""
    assert name_of(mark(2.0), [{**PRINTS, "twin": mark(2.0)}]) is None


def test_the_name_that_fits_every_reading_wins() -> None:
    """Where a second one fits under one of the readings only."""
    assert name_of(mark(2.0), [PRINTS, {**PRINTS, "twin": mark(2.0)}]) == "one"


def test_another_name_under_another_reading_is_no_name() -> None:
    """One reading says one mistake, the next another."""
    assert name_of(mark(2.0), [PRINTS, {"": RIGHT, "other": mark(2.0)}]) is None


def test_what_is_right_under_one_reading_gets_no_name() -> None:
    """Although it is a mistake under another."""
    assert name_of(mark(2.0), [PRINTS, {"": mark(2.0)}]) is None


def test_few_numbers_are_no_evidence() -> None:
    """The same exception everywhere has too many causes."""
    few = Fingerprint(("raised", "TypeError", *[1.0] * (ENOUGH - 1)))
    assert name_of(few, [{"": RIGHT, "one": few}]) is None


@pytest.mark.parametrize(
    "stem",
    ["ada_fused_blocked", "bo_raw_in_out", "cleo_swapped_roles", "dan_narrow_selfattention_slices", "eva_latin1"],
)
def test_a_fingerprint_does_not_hang_on_the_layout(stem: str) -> None:
    """Fused, raw, exchanged or narrow: answers and weights are those of the reference under its reading."""
    grader = Grader(Kit.here(), PUBLIC_SEED)
    probes = grader.naming.comparable[ATTENTION]
    seen = grader.observe(read(RIGHT_ONES / f"{stem}.py"), probes).observations
    known = [r for r in fitting(ATTENTION, seen) if grader.naming.recorded(ATTENTION, r)]
    rights = [grader.naming.fingerprints(ATTENTION, reading)[""] for reading in known]
    found = fingerprint(probes, seen)
    assert any(alike(found.answers, r.answers) and alike(found.weights, r.weights) for r in rights), known
