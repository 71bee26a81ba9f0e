"""Numbers against an accepted reading, and what any right answer obeys."""

from __future__ import annotations

from typing import Any

import pytest

from grader.checks.evidence import Ruling
from grader.checks.values import equals_input, equals_reading, is_zero, weights_sum_to_one
from grader.records import Numbers, Row, Rows, Setting
from tests.observing import X, answered, evidence, judged, probe, reading

ALL_04 = Setting("set", (0.4,))
ZERO = Setting("set", (0.0,))
FULL = reading("MultiHeadAttention", reach="all")
NARROW = reading("MultiHeadAttention", reach="slice")
ASKED = probe("MultiHeadAttention", 2, 1, calls=(X, X[:1]), setting=ALL_04)
BY_FULL: tuple[Rows, Rows] = (((1.0, 2.0), (3.0, 4.0), (5.0, 6.0)), ((7.0, 8.0),))
BY_NARROW: tuple[Rows, Rows] = (((1.0, 2.5), (3.0, 4.0), (5.0, 6.0)), ((7.5, 8.0),))


def compared(got: tuple[Numbers, ...], *readings: Any, asked: Any = ASKED) -> Ruling:
    """What the comparison says, with the hand-in's numbers and the readings that fit its counts."""
    expected = {(asked, FULL): answered(*BY_FULL), (asked, NARROW): answered(*BY_NARROW)}
    fitting = {"MultiHeadAttention": readings or (FULL, NARROW)}
    return equals_reading(evidence({asked: answered(*got)}, expected, fitting), [asked])  # type: ignore[arg-type]


@pytest.mark.parametrize("got", [BY_FULL, BY_NARROW])
def test_the_numbers_of_any_reading_pass(got: tuple[Numbers, ...]) -> None:
    """Each reading that fits the counts is right."""
    assert compared(got) is None


def test_numbers_may_differ_by_rounding() -> None:
    """Another order of summation is right."""
    assert compared((((1.0 + 1e-10, 2.0), (3.0, 4.0), (5.0, 6.0)), ((7.0, 8.0),))) is None


def test_another_number_is_told_with_place_got_and_expected() -> None:
    """The first reading is the usual one; its number is what is expected."""
    said = compared((((1.0, 2.0), (3.25, 4.0), (5.0, 6.0)), ((7.0, 8.0),)))
    assert said == (
        "MultiHeadAttention(2, 1) called with 3 rows of 2 numbers and every parameter set to 0.4: "
        "output[1][0] is 3.25; expected 3."
    )


def test_a_later_call_counts() -> None:
    """The second call is looked at too, and named."""
    said = compared((BY_FULL[0], ((7.0, 8.125),)))
    assert said is not None and "1 row of 2 numbers" in said and "output[0][1] is 8.125; expected 8." in said


def test_numbers_of_two_readings_do_not_mix() -> None:
    """The first call as one reading and the second as another is no reading."""
    assert compared((BY_FULL[0], BY_NARROW[1])) is not None


def test_a_reading_that_does_not_fit_the_counts_is_not_taken() -> None:
    """Numbers of a reading with other weights are wrong."""
    assert compared(BY_NARROW, FULL) is not None


def test_without_a_reading_there_is_a_verdict() -> None:
    """A hand-in whose counts fit nothing at some size is ruled on, it does not break the grader."""
    found = evidence({ASKED: answered(*BY_FULL)}, readings={"MultiHeadAttention": ()})
    assert isinstance(equals_reading(found, [ASKED]), str)


def test_a_layer_as_constructed_is_told_so() -> None:
    """Where nothing was set, the message says that too."""
    asked = probe("LayerNorm", 2, calls=((1.0, 2.0),))
    plain = reading("LayerNorm", offset=False)
    found = evidence({asked: answered((0.5, 1.0))}, {(asked, plain): answered((0.5, 1.5))}, {"LayerNorm": (plain,)})
    assert equals_reading(found, [asked]) == (
        "LayerNorm(2) called with 2 numbers as constructed: output[1] is 1; expected 1.5."
    )


def test_zeros_pass_where_all_weights_are_zero() -> None:
    """Nothing in, nothing out."""
    assert judged(is_zero, probe("FeedForward", 2, calls=((1.0, 2.0),), setting=ZERO), (0.0, -0.0)) is None


@pytest.mark.parametrize(("got", "words"), [((1.0, 2.0), "returned its input; expected zeros"), ((0.25, 0.0), "0.25")])
def test_what_is_not_zero_is_told(got: Row, words: str) -> None:
    """A residual inside the part is recognised; anything else is told by its first number."""
    said = judged(is_zero, probe("FeedForward", 2, calls=((1.0, 2.0),), setting=ZERO), got)
    assert said is not None and words in said and "expected zeros" in said


def test_what_is_told_of_a_leak_is_not_a_zero() -> None:
    """When the first number is right, the one that is not zero is shown."""
    said = judged(is_zero, probe("FeedForward", 2, calls=((1.0, 2.0),), setting=ZERO), (0.0, 0.75))
    assert said is not None and "0.75" in said


POINT: Rows = ((3.0, -2.0),)
SINGLE = probe("MultiHeadAttention", 2, 1, calls=(((0.0, 0.0),), POINT, ((-3.0, 2.0),)))


def test_an_affine_answer_to_one_row_passes() -> None:
    """f(x) = 2 x + 1 has f(x) + f(-x) = 2 f(0)."""
    assert judged(weights_sum_to_one, SINGLE, ((1.0, 1.0),), ((7.0, -3.0),), ((-5.0, 5.0),)) is None


def test_a_weight_that_depends_on_the_score_is_told() -> None:
    """An unnormalised weight: what the sum is and what it must be."""
    said = judged(weights_sum_to_one, SINGLE, ((1.0, 1.0),), ((7.0, -3.0),), ((-4.0, 5.0),))
    assert said is not None and "f(x) + f(-x) = 2 f(0) = 2; got 3." in said and "weight must be 1" in said


def test_every_channel_of_every_point_counts() -> None:
    """The last channel of the last pair is looked at."""
    asked = probe("MultiHeadAttention", 2, 1, calls=(*SINGLE.calls, *SINGLE.calls[1:]))
    right = (((1.0, 1.0),), ((7.0, -3.0),), ((-5.0, 5.0),))
    assert judged(weights_sum_to_one, asked, *right, *right[1:]) is None
    assert judged(weights_sum_to_one, asked, *right, right[1], ((-5.0, 5.001),)) is not None


def test_silent_branches_leave_the_input() -> None:
    """Exactly x comes out."""
    assert judged(equals_input, probe("TransformerBlock", 2, 1), X) is None


def test_a_block_that_changes_its_input_is_told_where() -> None:
    """The place, what it is, and that the input was expected."""
    said = judged(equals_input, probe("TransformerBlock", 2, 1), ((1.0, -2.0), (0.5, 6.0), (-1.5, 0.25)))
    assert said is not None and "output[1][1] is 6; expected the input itself, 3, carried by the two residuals" in said


COPIES = probe("MultiHeadAttention", 2, 1, calls=(((0.0, 0.0),), ((3.0, -2.0),), ((-3.0, 2.0),), ((3.0, -2.0),) * 2))


def test_equal_rows_are_answered_like_one() -> None:
    """A weighted mean of equal values is that value."""
    alone = ((1.0, 1.0),), ((7.0, -3.0),), ((-5.0, 5.0),)
    assert judged(weights_sum_to_one, COPIES, *alone, ((7.0, -3.0),) * 2) is None
    said = judged(weights_sum_to_one, COPIES, *alone, ((7.0, -3.0), (7.0, -2.0)))
    assert said is not None and "all rows equal: output[1][1] is -2; expected -3 as for one such row alone" in said
