"""Compares plain numbers: where two answers first differ, and whether a gradient fits a measured slope."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from math import hypot, inf, isfinite
from typing import cast

from grader.records import Numbers, Row, Rows, Sides

# Right answers in another order of summation differ by 1e-16 times their size (GRADIENTS, rule 8).
VALUE_TOLERANCE = 1e-9
# Honest gradients agree to 2e-9 of their norm at h = 1e-5, the weakest planted fault is off by 2e-6 (measured).
SLOPE_TOLERANCE = 1e-7
SMALLEST_NORM = 1e-3


def flat(numbers: Numbers) -> tuple[float, ...]:
    """A row, or rows one after the other, as one row."""
    if _is_rows(numbers):
        return tuple(chain.from_iterable(cast(Rows, numbers)))
    return tuple(cast(Row, numbers))


def _is_rows(numbers: Numbers) -> bool:
    return bool(numbers) and isinstance(numbers[0], tuple)


def _places(numbers: Numbers) -> list[str]:
    """Every number's place in words: "[1][2]" in rows, "[2]" in a row."""
    if _is_rows(numbers):
        return [f"[{t}][{c}]" for t, row in enumerate(cast(Rows, numbers)) for c in range(len(row))]
    return [f"[{c}]" for c in range(len(numbers))]


def close(a: float, b: float, tolerance: float = VALUE_TOLERANCE) -> bool:
    """Equal to ``tolerance``, absolute for small numbers and relative for large ones; never for NaN or infinity."""
    return abs(a - b) <= tolerance * max(1.0, abs(a), abs(b)) < inf


def first_difference(
    got: Numbers, expected: Numbers, tolerance: float = VALUE_TOLERANCE
) -> tuple[str, float, float] | None:
    """Place, number got and number expected where two answers of one shape first differ; None when they agree."""
    for k, (a, b) in enumerate(zip(flat(got), flat(expected))):
        if a != b and not close(a, b, tolerance):
            return _places(got)[k], a, b
    return None


def same(got: Numbers, expected: Numbers, tolerance: float = VALUE_TOLERANCE) -> bool:
    """Equal shape and equal numbers."""
    return shape(got) == shape(expected) and first_difference(got, expected, tolerance) is None


def shape(numbers: Numbers) -> tuple[int, ...]:
    """(D,) for a row, (T, D) for rows of one width, (T, D0, D1, ...) for ragged ones."""
    if not _is_rows(numbers):
        return (len(numbers),)
    widths = [*map(len, cast(Rows, numbers))]
    return (len(numbers), widths[0]) if widths.count(widths[0]) == len(widths) else (len(numbers), *widths)


def digits(a: float, b: float) -> tuple[str, str]:
    """Both numbers with as many digits as it takes to tell them apart, at least five."""
    for count in range(5, 18):
        one, other = f"{a:.{count}g}", f"{b:.{count}g}"
        if one != other:
            break
    return one, other


def slope_along(gradient: Sequence[float], direction: Sequence[float]) -> float:
    """The derivative along ``direction`` (used in turn, scaled to length 1) by a gradient."""
    cycle = [direction[i % len(direction)] for i in range(len(gradient))]
    length = hypot(*cycle) or 1.0
    return sum(g * u for g, u in zip(gradient, cycle)) / length


def slopes_measured(sides: Sides, step: float) -> tuple[float, float]:
    """The derivative by central differences with a step and with half of it.

    Where the two differ there is a kink within the step, or the values are too rough to say (a mask of -1e9 that
    reaches every score leaves them 1e-7 coarse).
    """
    return (sides[0] - sides[1]) / (2.0 * step), (sides[2] - sides[3]) / step


def slopes_agree(by_gradient: float, measured: float, gradient: Sequence[float]) -> bool:
    """Whether two slopes agree, relative to the gradient's norm (not to the slope, which may be near zero)."""
    norm = hypot(*gradient)
    if not isfinite(norm) or not isfinite(measured):
        return False
    return abs(by_gradient - measured) <= SLOPE_TOLERANCE * max(norm, abs(measured), SMALLEST_NORM)
