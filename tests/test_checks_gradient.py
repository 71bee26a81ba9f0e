"""Gradients: what backward() says against what really happens, and weights that no gradient reaches."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from grader.checks.evidence import Ruling
from grader.checks.gradient import acts_apart, fits_slopes, keeps_none_back, reaches_every_weight
from grader.records import Component, Gradients, Observation, Probe, Row, Setting, Slope
from tests.observing import answered, evidence, graph, judged, probe, reading, ruling, sloped

SLOPE = Slope((1.0, -0.5), (0.6, 0.8), (0.3, -0.4, 0.5))
OTHER = Slope((0.5, 0.5), (-0.8, 0.6), (0.7, 0.1, -0.2))
ASKED = {slope: probe("LayerNorm", 2, calls=((1.0, 2.0),), slope=slope) for slope in (SLOPE, OTHER)}
MOVED = (1.00001, 0.99999, 1.000005, 0.999995)  # a slope of 1
INPUTS, WEIGHTS = (2.0, -3.0), (0.5, 1.5, -2.5, 4.0)


def point(slope: Slope, **wrong: float) -> tuple[Probe, Observation]:
    """A question at one point, and an answer whose slopes are off by ``wrong``."""
    return ASKED[slope], answered((0.0, 0.0), gradients=sloped(INPUTS, WEIGHTS, slope, **wrong))


def test_gradients_that_fit_pass() -> None:
    """What backward() says is what happens, over inputs and over parameters."""
    assert ruling(fits_slopes, point(SLOPE), point(OTHER)) is None


@pytest.mark.parametrize("what", ["inputs", "parameters"])
def test_a_gradient_that_does_not_fit_is_named(what: str) -> None:
    """Which numbers were moved, and where such faults come from."""
    said = ruling(fits_slopes, point(SLOPE, **{what: 1.0}), point(OTHER, **{what: 1.0}))
    assert said is not None and said.startswith(f"LayerNorm(2): moving the {what} along a fixed direction")
    assert "is cut from the graph" in said


def test_both_slopes_are_told() -> None:
    """0.6 * 2 - 0.8 * 3 is what backward() says; the output really rises by 1 more."""
    said = ruling(fits_slopes, point(SLOPE, inputs=1.0))
    assert said is not None and "changes the weighted output by -0.2 per unit" in said and "gives says -1.2." in said


@pytest.mark.parametrize("what", ["inputs", "parameters"])
def test_a_small_fault_does_not_fit(what: str) -> None:
    """A slope that is off by a millionth of the gradient is wrong."""
    assert ruling(fits_slopes, point(SLOPE, **{what: 1e-5}), point(OTHER, **{what: 1e-5})) is not None


def test_a_kink_at_one_point_is_forgiven() -> None:
    """A ReLU may bend within the step once; where another point fits, the gradient is right."""
    assert ruling(fits_slopes, point(SLOPE, inputs=1.0), point(OTHER)) is None


def test_a_point_that_cannot_be_measured_does_not_count() -> None:
    """Where a step and half a step differ there is a kink: neither for the gradient nor against it."""
    assert ruling(fits_slopes, point(SLOPE, inputs=1.0, rough=0.5)) is None
    assert ruling(fits_slopes, point(SLOPE, inputs=1.0, rough=0.5), point(OTHER, inputs=1.0)) is not None


def test_kinks_at_two_points_are_forgiven_one_by_one() -> None:
    """Inputs may bend at one point and parameters at another."""
    assert ruling(fits_slopes, point(SLOPE, inputs=1.0), point(OTHER, parameters=1.0)) is None


def test_a_cut_graph_is_told_how_much_is_silent() -> None:
    """Zeros where the slope is not zero: the message counts the inputs without gradient."""
    cut = sloped((0.0, 0.0), WEIGHTS, SLOPE, inputs=3.0)
    said = ruling(fits_slopes, (ASKED[SLOPE], answered((0.0, 0.0), gradients=cut)))
    assert said is not None and "(2 of 2 inputs get no gradient at all)" in said


@pytest.mark.parametrize("size", [1e155, 1e200, 1e308])
def test_huge_gradients_do_not_fit(size: float) -> None:
    """A backward() that writes 1e200 everywhere gets no marks for the overflow of a norm."""
    forged = Gradients((size, size), (size,) * 4, along_inputs=MOVED, along_parameters=MOVED)
    assert ruling(fits_slopes, (ASKED[SLOPE], answered((0.0, 0.0), gradients=forged))) is not None


def reaches(component: Component, args: tuple[float, ...], options: dict[str, Any], *gradients: Row) -> Ruling:
    """What the census of gradients says, for a hand-in of one reading, with these gradients at as many points."""
    slopes = [Slope((1.0,), (float(k + 1),), (1.0,)) for k in range(len(gradients))]
    asked = [probe(component, *args, calls=((1.0,),), slope=slope) for slope in slopes]
    pairs = {p: answered((0.0,), gradients=sloped((1.0,), row, s)) for p, s, row in zip(asked, slopes, gradients)}
    return reaches_every_weight(evidence(pairs, readings={component: (reading(component, **options),)}), asked)


BIASED, FREE = {"k_bias": True}, {"k_bias": False}


def test_weights_that_all_get_a_gradient_pass() -> None:
    """Nothing is silent."""
    assert reaches("MultiHeadAttention", (2, 1), FREE, (0.1, 0.2, -0.3, 0.4)) is None


def test_the_key_bias_may_be_silent() -> None:
    """It cancels in the softmax: D numbers without gradient are right, rounding included."""
    assert reaches("MultiHeadAttention", (2, 1), BIASED, (0.1, 0.0, 1e-17, 0.4)) is None


def test_more_silent_weights_than_the_key_bias_fail() -> None:
    """Three of four, where two are allowed: how many, of how many, how many are expected."""
    said = reaches("MultiHeadAttention", (2, 1), BIASED, (0.1, 0.0, 0.0, 0.0))
    assert said is not None and said.startswith("MultiHeadAttention(2, 1): 3 of 4 parameters get no gradient")
    assert "expected at most 2 (the bias of the keys)" in said


def test_without_key_bias_no_weight_may_be_silent() -> None:
    """Two silent weights are no key bias where there is none."""
    said = reaches("MultiHeadAttention", (2, 1), FREE, (0.1, 0.0, 0.0, 0.4))
    assert said is not None and "2 of 4 parameters get no gradient; expected none" in said


def test_a_layer_without_gradient_fails() -> None:
    """A feed-forward layer that is built and not used."""
    said = reaches("FeedForward", (1,), {}, (0.1, 0.2, 0.3, 0.0))
    assert said is not None and "FeedForward(1): 1 of 4 parameters get no gradient; expected none" in said


def test_silent_at_one_point_only_is_no_fault() -> None:
    """A hidden unit that is off at one point and on at another takes part."""
    assert reaches("FeedForward", (1,), {}, (0.1, 0.2, 0.3, 0.0), (0.0, 0.2, 0.3, 0.4)) is None


def test_counts_that_fit_no_reading_do_not_break_the_rule() -> None:
    """A hand-in may be laid out rightly at the sizes that were counted and oddly at another: a verdict, no crash."""
    asked, seen = point(SLOPE)
    found = evidence({asked: seen}, readings={"LayerNorm": (), "MultiHeadAttention": ()})
    assert reaches_every_weight(found, [asked]) is None


SET = Setting("set", (0.3, -0.5, 0.7))


def twins(options: dict[str, Any], *gradients: Row) -> Ruling:
    """What is said of weights that act alike, for gradients at as many points."""
    asked = [probe("MultiHeadAttention", 2, 2, slope=SLOPE, setting=SET, seed=k) for k in range(len(gradients))]
    pairs = {p: answered((0.0,), gradients=sloped((1.0,), row, SLOPE)) for p, row in zip(asked, gradients)}
    fitting = {"MultiHeadAttention": (reading("MultiHeadAttention", **options),)}
    return acts_apart(evidence(pairs, readings=fitting), asked)


def test_weights_that_act_as_one_fail() -> None:
    """Equal gradients at every point; equal ones at one point alone are chance, zeros are another rule's."""
    said = twins({"out_bias": "one"}, (0.5, 2.0, 0.5, 0.0, 0.0), (0.7, -1.0, 0.7, 0.0, 0.0))
    assert said is not None and "1 parameters have the same gradient as another one, at every input" in said
    assert twins({"out_bias": "one"}, (0.5, 2.0, 0.5), (0.7, -1.0, 0.9)) is None


def test_biases_that_are_added_up_may_act_as_one() -> None:
    """An output layer per head, each with its bias: D of them act as the others, and no more."""
    assert twins({"out_bias": "each"}, (0.5, 2.0, 0.5, 2.0), (0.7, -1.0, 0.7, -1.0)) is None
    assert twins({"out_bias": "each"}, (0.5, 2.0, 0.5, 2.0, 2.0), (0.7, -1.0, 0.7, -1.0, -1.0)) is not None


def unlisted(count: int) -> Ruling:
    """What is said of so many Values that are kept but not listed, beside 4 channels."""
    seen = replace(graph({"x": ("",), "y": ("exp", "x")}, "x", "", "y"), unlisted=count)
    return judged(keeps_none_back, probe("FeedForward", 4, graph=True), (0.5,), graph=seen)


def test_weights_that_are_not_listed_fail() -> None:
    """As many as there are channels are no constants."""
    assert unlisted(3) is None and "computes with 4 Values that it keeps" in (unlisted(4) or "")
