"""Comparing plain numbers: how close is equal, where two answers differ, whether a gradient fits a slope."""

from __future__ import annotations

from math import inf, nan, sqrt

import pytest

from grader import compare


def test_flat_joins_rows_in_reading_order() -> None:
    """Rows come out one after the other, a row as it is."""
    assert compare.flat(((1.0, 2.0), (3.0,))) == (1.0, 2.0, 3.0)
    assert compare.flat((4.0, 5.0)) == (4.0, 5.0)


def test_a_difference_is_placed_by_row_and_channel() -> None:
    """A number in rows is named by position and channel."""
    assert compare.first_difference(((1.0, 2.0), (3.0, 4.0)), ((1.0, 2.0), (3.5, 4.0))) == ("[1][0]", 3.0, 3.5)


def test_a_difference_is_placed_by_channel() -> None:
    """A number in a row is named by channel."""
    assert compare.first_difference((1.0, 2.0), (1.0, 2.5)) == ("[1]", 2.0, 2.5)


@pytest.mark.parametrize(("a", "b"), [(0.0, 0.9e-9), (1.0, 1.0 + 0.9e-9), (1e6, 1e6 + 0.9e-3), (-2e9, -2e9 - 1.0)])
def test_close_allows_the_tolerance(a: float, b: float) -> None:
    """Below the tolerance, absolute for small numbers and relative for large ones, two numbers are equal."""
    assert compare.close(a, b) and compare.close(b, a)


@pytest.mark.parametrize(("a", "b"), [(0.0, 1.1e-9), (1.0, 1.0 + 1.2e-9), (1e6, 1e6 + 1.1e-3), (1.0, -1.0)])
def test_close_refuses_more_than_the_tolerance(a: float, b: float) -> None:
    """Above the tolerance two numbers differ, whichever comes first."""
    assert not compare.close(a, b) and not compare.close(b, a)


@pytest.mark.parametrize("number", [0.0, inf, nan])
def test_close_is_false_for_nan(number: float) -> None:
    """NaN is close to nothing, not even to itself."""
    assert not compare.close(nan, number) and not compare.close(number, nan)


def test_close_survives_numbers_whose_difference_overflows() -> None:
    """The largest numbers of both signs are apart, not infinitely tolerated."""
    assert not compare.close(1.7e308, -1.7e308)


def test_first_difference_is_none_for_equal_answers() -> None:
    """Answers that differ by rounding agree."""
    assert compare.first_difference(((0.1 + 0.2,),), ((0.3,),)) is None


def test_first_difference_gives_place_got_and_expected() -> None:
    """The first place is reported, not the worst, with the number got before the number expected."""
    got, expected = ((1.0, 2.0), (3.5, 99.0)), ((1.0, 2.0), (3.0, 4.0))
    assert compare.first_difference(got, expected) == ("[1][0]", 3.5, 3.0)


def test_first_difference_uses_the_tolerance_it_is_given() -> None:
    """With tolerance 0 the last bit counts."""
    assert compare.first_difference((0.1 + 0.2,), (0.3,), 0.0) == ("[0]", 0.1 + 0.2, 0.3)


@pytest.mark.parametrize("other", [(1.0,), (1.0, 2.0, 3.0), ((1.0, 2.0),), (1.0, 2.5)])
def test_same_wants_shape_and_numbers(other: tuple[float, ...]) -> None:
    """A shorter, longer, deeper or different answer is not the same."""
    assert compare.same((1.0, 2.0), (1.0, 2.0))
    assert not compare.same((1.0, 2.0), other)


def test_shape_of_ragged_rows_lists_every_width() -> None:
    """Ragged rows have a shape that no even ones have."""
    assert compare.shape(((1.0, 2.0), (3.0,))) == (2, 2, 1)
    assert compare.shape(((1.0, 2.0), (3.0, 4.0))) == (2, 2)
    assert compare.shape((1.0, 2.0, 3.0)) == (3,)


def test_digits_are_five_when_they_suffice() -> None:
    """Numbers that differ early are shown short."""
    assert compare.digits(1.23456789, 9.87654321) == ("1.2346", "9.8765")


def test_digits_grow_until_the_numbers_differ() -> None:
    """Never "expected 1.4971, got 1.4971": even neighbours are told apart."""
    one, other = compare.digits(1.0, 1.0 + 2**-52)
    assert one != other


def test_slope_along_scales_the_direction_to_length_one() -> None:
    """A longer direction gives the same slope."""
    assert compare.slope_along((3.0, 4.0), (3.0, 4.0)) == pytest.approx(5.0)
    assert compare.slope_along((3.0, 4.0), (30.0, 40.0)) == pytest.approx(5.0)


def test_slope_along_uses_a_short_direction_in_turn() -> None:
    """Two numbers serve four parameters."""
    assert compare.slope_along((1.0, 2.0, 3.0, 4.0), (1.0, -1.0)) == pytest.approx((1 - 2 + 3 - 4) / sqrt(4))


def test_slope_along_nothing_is_zero() -> None:
    """No parameters, no slope."""
    assert compare.slope_along((), (1.0, 2.0)) == 0.0


def test_slopes_measured_are_central_differences() -> None:
    """The slope of 3 t is 3 with any step, and it rises when the step forward is larger."""
    assert compare.slopes_measured((0.3, -0.3, 0.15, -0.15), 0.1) == pytest.approx((3.0, 3.0))


def test_slopes_measured_differ_at_a_kink() -> None:
    """|t - 0.02| rises by 0.2 per unit with a step of 0.1, by 0.4 with half of it."""
    sides = tuple(abs(t - 0.02) for t in (0.1, -0.1, 0.05, -0.05))
    assert compare.slopes_measured(sides, 0.1) == pytest.approx((-0.2, -0.4))  # type: ignore[arg-type]  # four


def test_slopes_agree_allows_the_error_of_differences() -> None:
    """An honest gradient differs from a measured slope by a few 1e-9 of its norm."""
    assert compare.slopes_agree(5.0, 5.0 + 1e-8, (3.0, 4.0))


def test_slopes_agree_refuses_the_weakest_fault() -> None:
    """A fault of 2e-6 of the norm is seen."""
    assert not compare.slopes_agree(5.0, 5.0 + 1e-5, (3.0, 4.0))


def test_slopes_agree_refuses_a_gradient_of_zeros() -> None:
    """No gradient at all does not make every slope right."""
    assert not compare.slopes_agree(0.0, 1e-6, (0.0, 0.0))


@pytest.mark.parametrize("size", [1e155, 1e200, 1e308])
def test_slopes_agree_refuses_a_huge_wrong_gradient(size: float) -> None:
    """A norm that overflows must not make the tolerance infinite: gradients of 1e200 do not fit a slope of 1."""
    gradient = (size, size, -size)
    claimed = compare.slope_along(gradient, (1.0, 0.5, 0.25))
    assert not compare.slopes_agree(claimed, 1.0, gradient)
