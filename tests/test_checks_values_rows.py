"""What LayerNorm and FeedForward obey, whatever their weights: statistics of a fresh layer, two sides of ReLU."""

from __future__ import annotations

import re
from collections.abc import Callable
from math import sqrt

import pytest

from grader.checks.ask_rows import feedforward_sides
from grader.checks.evidence import Ruling
from grader.checks.values import normalises, switches_off
from grader.compare import flat
from grader.records import Row
from tests.observing import answered, judged, probe, ruling

ROW: Row = (1.0, 2.0, 3.0, 6.0)
FAR: Row = tuple(1000.0 + v for v in ROW)
NORM = probe("LayerNorm", 4, calls=(ROW, FAR))
Layer = Callable[[Row], Row]


def layer_norm(x: Row, eps: float = 1e-5, divisor: int = 4) -> Row:
    """Normalised by hand."""
    mean = sum(x) / len(x)
    variance = sum((v - mean) ** 2 for v in x) / divisor
    return tuple((v - mean) / sqrt(variance + eps) for v in x)


def by_mean_of_squares(x: Row) -> Row:
    """As right as the other form, but it loses digits far from zero."""
    mean = sum(x) / len(x)
    variance = sum(v * v for v in x) / len(x) - mean * mean
    return tuple((v - mean) / sqrt(variance + 1e-5) for v in x)


def normed(layer: Layer) -> Ruling:
    """What the rule says of a layer."""
    return judged(normalises, NORM, layer(ROW), layer(FAR))


@pytest.mark.parametrize("layer", [layer_norm, by_mean_of_squares])
def test_a_normalised_row_passes(layer: Layer) -> None:
    """Mean 0 and variance 1, but for what eps takes; near zero and far from it."""
    assert normed(layer) is None


def test_a_mean_that_is_left_is_told() -> None:
    """Divided by the spread but not centred."""
    said = normed(lambda x: tuple(v + 0.5 for v in layer_norm(x)))
    assert said is not None and "called with 4 numbers as constructed: the mean of the output is 0.5" in said
    assert "expected 0." in said


@pytest.mark.parametrize(
    ("layer", "variance"),
    [
        (lambda x: layer_norm(x, divisor=3), "0.75"),
        (lambda x: tuple(2.0 * v for v in layer_norm(x)), "4"),
        (lambda x: tuple(v - sum(x) / 4 for v in x), "3.5"),
    ],
    ids=["divided by D - 1", "scale starts at 2", "centred only"],
)
def test_another_variance_is_told(layer: Layer, variance: str) -> None:
    """The variance that came out beside the one that eps leaves of 1."""
    said = normed(layer)
    assert said is not None and f"the variance of the output is {variance}" in said and "expected 1." in said


@pytest.mark.parametrize("eps", [0.0, 1e-6, 1e-4])
def test_another_eps_is_told(eps: float) -> None:
    """A millionth of the variance is enough to see that eps is missing or another."""
    said = normed(lambda x: layer_norm(x, eps))
    assert said is not None and "the variance of the output is" in said


def test_a_fault_far_from_zero_only_is_found() -> None:
    """The last call is looked at."""
    assert judged(normalises, NORM, layer_norm(ROW), tuple(1.1 * v for v in layer_norm(FAR))) is not None


Number = Callable[[float], float]
SIDES = feedforward_sides(0)


def same(v: float) -> float:
    """Nothing is done to a number."""
    return v


def relu(v: float) -> float:
    """What belongs between the layers."""
    return max(0.0, v)


def fed(between: Number, before: Number = same, after: Number = same) -> Ruling:
    """What the rule says of two layers of equal weights, with these functions before, between and after them."""
    pairs = []
    for asked in SIDES:
        c, D = asked.setting.values[0], int(asked.args[0])
        totals = [sum(before(v) for v in flat(call.x)) for call in asked.calls]
        outputs = [after(c * 4 * D * between(c * total + c) + c) for total in totals]
        pairs.append((asked, answered(*((v,) * D for v in outputs))))
    return ruling(switches_off, *pairs)


def test_relu_between_the_layers_passes() -> None:
    """Off where every hidden sum is negative, one slope where every one is positive."""
    assert fed(relu) is None


@pytest.mark.parametrize(
    "between", [same, lambda h: max(0.01 * h, h), abs, lambda h: -h], ids=["none", "leaky", "abs", "minus"]
)
def test_what_passes_below_zero_is_told(between: Number) -> None:
    """No activation, a leaky one, abs: the input has an effect where ReLU is off."""
    said = fed(between)
    assert said is not None and "FeedForward(5) called with 5 numbers and every parameter set to 0.4" in said
    assert "expected the same number, since ReLU switches all of them off" in said


@pytest.mark.parametrize(
    "between",
    [lambda h: 0.0, lambda h: relu(h) ** 2, lambda h: min(1.0, relu(h)), lambda h: float(h > 0)],
    ids=["nothing", "squared", "clipped", "step"],
)
def test_what_bends_above_zero_is_told(between: Number) -> None:
    """Nothing passes, or not in proportion: both slopes are shown."""
    said = fed(between)
    assert said is not None and re.search(r"rises by \S+ and then by \S+ per unit of input; expected one slope", said)


@pytest.mark.parametrize("place", ["before", "after"])
def test_relu_in_another_place_is_told(place: str) -> None:
    """The claim says between the two layers: ReLU on the input or on the output instead is not there."""
    assert fed(same, **{place: relu}) is not None
