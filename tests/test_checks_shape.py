"""The shape of answers: what a hand-in returned against the shape that its input asks for."""

from __future__ import annotations

import pytest

from grader.checks.shape import keeps_shape, misshapen
from grader.records import Numbers
from tests.observing import X, answer, answered, judged, probe, ruling

ROWS = probe("MultiHeadAttention", 2, 1, calls=(X, X[:1]))
ROW = probe("LayerNorm", 2, calls=((1.0, 2.0), (2.0, 5.0)))


def test_computed_rows_of_the_right_shape_pass() -> None:
    """(T, D) in, (T, D) out, for each T that was asked."""
    assert judged(keeps_shape, ROWS, ((1.0, 1.0), (2.0, 2.0), (3.0, 3.0)), ((4.0, 4.0),)) is None


def test_computed_row_of_the_right_shape_passes() -> None:
    """D numbers in, D numbers out."""
    assert judged(keeps_shape, ROW, (0.5, -0.5), (0.25, -0.75)) is None


@pytest.mark.parametrize(
    "wrong",
    [
        ((1.0, 1.0), (2.0, 2.0)),
        ((1.0, 1.0), (2.0, 2.0), (3.0, 3.0), (4.0, 4.0)),
        ((1.0,), (2.0,), (3.0,)),
        ((1.0, 1.0), (2.0, 2.0), (3.0,)),
        ((1.0, 1.0, 1.0), (2.0, 2.0, 2.0)),
        (1.0, 2.0, 3.0),
    ],
    ids=["short", "long", "narrow", "ragged", "transposed", "row"],
)
def test_rows_of_another_shape_fail(wrong: Numbers) -> None:
    """Too few, too many, too narrow, ragged, transposed, or one row only."""
    said = judged(keeps_shape, ROWS, answer(wrong, "a list of something else"), ((4.0, 4.0),))
    assert said == (
        "MultiHeadAttention(2, 1) called with 3 rows of 2 numbers returned a list of something else; "
        "expected a list of 3 lists of 2 Values."
    )


def test_the_call_that_went_wrong_is_named() -> None:
    """A hand-in that is right for T = 3 and wrong for T = 1 reads about T = 1."""
    said = judged(keeps_shape, ROWS, ((1.0, 1.0), (2.0, 2.0), (3.0, 3.0)), answer(None, "None"))
    assert said is not None and "called with 1 row of 2 numbers returned None; expected a list of 1 list of" in said


def test_a_row_of_another_length_fails() -> None:
    """A vector must keep its length."""
    said = judged(keeps_shape, ROW, answer((1.0, 2.0, 3.0), "a list of 3 Values"), (0.25, -0.75))
    assert said == "LayerNorm(2) called with 2 numbers returned a list of 3 Values; expected a list of 2 Values."


def test_rows_where_a_row_is_asked_fail() -> None:
    """One row in a list is not a row."""
    assert judged(keeps_shape, ROW, ((0.5, -0.5),), (0.25, -0.75)) is not None


def test_answers_that_are_no_numbers_fail() -> None:
    """Floats instead of Values, or NaN, have no numbers; what came back is told in words."""
    said = judged(keeps_shape, ROW, answer(None, "a list of 2 floats"), (0.25, -0.75))
    assert said is not None and "returned a list of 2 floats; expected a list of 2 Values" in said


def test_every_question_is_looked_at() -> None:
    """A fault at the second size only is found, and told of that size."""
    other = probe("LayerNorm", 3, calls=((1.0, 2.0, 4.0),))
    said = ruling(keeps_shape, (ROW, answered((0.5, -0.5), (0.25, -0.75))), (other, answered((0.5, -0.5))))
    assert said is not None and said.startswith("LayerNorm(3) called with 3 numbers")


def test_the_input_itself_is_no_answer() -> None:
    """A hand-in that returns its input has the right shape and no marks."""
    said = judged(keeps_shape, ROWS, X, X[:1])
    assert said is not None and "returned its input unchanged; expected new Values computed from it" in said


def test_one_answer_for_all_inputs_is_no_answer() -> None:
    """Zeros have the right shape and no marks."""
    said = judged(keeps_shape, ROW, (0.0, 0.0), (0.0, 0.0))
    assert said is not None and "the same numbers for two different inputs; expected an answer to each" in said


def test_misshapen_does_not_ask_for_work() -> None:
    """Zeros are of the right shape: the guard in front of every other rule looks at the shape alone."""
    assert judged(misshapen, ROW, (0.0, 0.0), (0.0, 0.0)) is None


def test_misshapen_finds_what_has_no_numbers() -> None:
    """NaN in a later question is told, not fallen over."""
    said = judged(misshapen, ROW, (0.0, 0.0), answer(None, "a list of 2 Values, but output[0] is nan"))
    assert said is not None and "output[0] is nan" in said


def test_misshapen_passes_questions_without_calls() -> None:
    """Where nothing is called, nothing has a shape."""
    assert judged(misshapen, probe("MultiHeadAttention", 5, 2, calls=())) is None
