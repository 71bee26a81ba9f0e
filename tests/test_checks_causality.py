"""Who may influence whom: rulings on answers to inputs in which one row was changed."""

from __future__ import annotations

from collections.abc import Callable

from grader.checks.causality import hides_future, sees_all, sees_past
from grader.records import Call, Probe, Row, Rows
from tests.observing import X, judged, probe

T = 3
FAR: Row = (9.0, 9.0)
Weight = Callable[[int, int], float]


def change(j: int) -> Rows:
    """X with row j replaced."""
    return tuple(FAR if i == j else row for i, row in enumerate(X))


ASKED: Probe = probe("MultiHeadAttention", 2, 1, calls=(X, *(change(j) for j in range(T))))


def mixed(x: Rows, weight: Weight) -> Rows:
    """Row i is the sum of weight(i, j) times row j."""
    return tuple(tuple(sum(weight(i, j) * x[j][c] for j in range(T)) for c in range(2)) for i in range(T))


def answers(weight: Weight, asked: Probe = ASKED) -> list[Rows]:
    """What a layer with these weights answers to every call."""
    return [mixed(call.x, weight) for call in asked.calls]  # type: ignore[arg-type]  # rows


def causal(i: int, j: int) -> float:
    """The weights of a right answer."""
    return 1.0 if j <= i else 0.0


def test_causal_weights_hide_the_future_and_see_the_past() -> None:
    """A right answer passes both rules."""
    assert judged(hides_future, ASKED, *answers(causal)) is None
    assert judged(sees_past, ASKED, *answers(causal)) is None


def test_a_leak_of_the_next_row_is_named_with_both_rows() -> None:
    """A mask that is off by one: the row that moved, from what to what, and the row that moved it."""
    said = judged(hides_future, ASKED, *answers(lambda i, j: 1.0 if j <= i + 1 else 0.0))
    assert said == (
        "MultiHeadAttention(2, 1) called with 3 rows of 2 numbers: output row 0 moved from 1.5 to 10 "
        "when only input row 1 changed; expected no change, since row 1 is in its future."
    )


def test_a_leak_of_the_last_row_only_is_found() -> None:
    """Each pair counts, also the last row and the last but one."""
    said = judged(hides_future, ASKED, *answers(lambda i, j: 1.0 if j <= i or (i, j) == (1, 2) else 0.0))
    assert said is not None and "output row 1 moved" in said and "input row 2 changed" in said


def test_a_tiny_leak_is_a_leak() -> None:
    """A weight of 1e-6 on the future is no rounding."""
    assert judged(hides_future, ASKED, *answers(lambda i, j: 1.0 if j <= i else 1e-6)) is not None


def test_rounding_is_no_leak() -> None:
    """Another order of a sum may change the last bit."""
    exact = answers(causal)
    moved = [tuple(tuple(v * (1 + 2e-16) for v in row) for row in rows) for rows in exact[1:]]
    assert judged(hides_future, ASKED, exact[0], *moved) is None


def test_a_strict_mask_does_not_see_the_row_itself() -> None:
    """Row 0 sees nothing: it did not move when it was changed itself."""
    said = judged(sees_past, ASKED, *answers(lambda i, j: 1.0 if j < i else 0.0))
    assert said is not None and "output row 0 did not move when input row 0 changed" in said
    assert "expected a change, since it is the row itself" in said


def test_a_window_does_not_see_the_distant_past() -> None:
    """Row 2 must see row 0, not only its neighbour."""
    said = judged(sees_past, ASKED, *answers(lambda i, j: 1.0 if i - 1 <= j <= i else 0.0))
    assert said is not None and "output row 2 did not move when input row 0 changed" in said
    assert "row 0 is in its past" in said


def test_a_movement_below_rounding_is_none() -> None:
    """A weight of 1e-12 on the past is as good as none."""
    assert judged(sees_past, ASKED, *answers(lambda i, j: 1.0 if j == i else 1e-12 * causal(i, j))) is not None


def test_open_attention_sees_all() -> None:
    """Every row moves with every row."""
    assert judged(sees_all, ASKED, *answers(lambda i, j: 1.0)) is None


def test_a_mask_where_none_was_asked_is_named() -> None:
    """With causal=False row 0 must move when row 1 is changed."""
    calls = tuple(Call(call.x, False) for call in ASKED.calls)
    said = judged(sees_all, probe("MultiHeadAttention", 2, 1, calls=calls), *answers(causal))
    assert said is not None and "causal=False: output row 0 did not move when input row 1 changed" in said
    assert "lets every row see every row" in said


def test_calls_are_compared_within_one_way_of_calling() -> None:
    """The answer with causal=False is no leak of the default call before it."""
    asked = probe("MultiHeadAttention", 2, 1, calls=(Call(X), Call(change(2)), Call(X, False), Call(change(2), False)))
    closed, opened = answers(causal, asked), answers(lambda i, j: 1.0, asked)
    assert judged(hides_future, asked, closed[0], closed[1], opened[0], opened[0]) is None


def test_each_way_of_calling_is_looked_at() -> None:
    """A leak only when causal=True is passed by position is found and told so."""
    by_position = tuple(Call(x, True, positional=True) for x in (X, change(2)))
    asked = probe("MultiHeadAttention", 2, 1, calls=(Call(X), Call(change(2)), *by_position))
    closed, opened = answers(causal, asked), answers(lambda i, j: 1.0, asked)
    said = judged(hides_future, asked, closed[0], closed[1], opened[2], opened[3])
    assert said is not None and "3 rows of 2 numbers, True: output row 0 moved" in said
