"""Operations of a hand-in's own: exact gradients are right, measured ones are not, whatever their names are."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.grading import Grader
from grader.kit import Kit
from grader.own_operations import LINES, NOISE, POINTS, exact, lines, noise, with_own
from grader.records import COMPONENTS, Call, Observation, Probe, Report, Slope, Submission
from tests.observing import answered, evidence, graph, sloped
from tests.test_checks_replay import RIGHT

REFERENCE = (Path(__file__).parent.parent / "solution" / "transformer_block.py").read_text(encoding="utf-8")
ROOT = """

def root(v, name={name!r}):
    out = Value(v.data ** 0.5, (v,), name)

    def backward():
        v.grad += {slope} * out.grad

    out._backward = backward
    return out


class LayerNorm(LayerNorm):
    def forward(self, x):
        D = len(x)
        mean = sum(x) / D
        deviations = [v - mean for v in x]
        deviation = root(sum(d * d for d in deviations) / D + self.eps)
        scale, shift = self.parameters()[:D], self.parameters()[D:]
        return [g * d / deviation + b for g, d, b in zip(scale, deviations, shift)]
"""
FORMULA = "0.5 / out.data"
MEASURED = "((v.data + 1e-5) ** 0.5 - (v.data - 1e-5) ** 0.5) / 2e-5"


@pytest.fixture(scope="module")
def grader() -> Grader:
    """One grader for all tests here."""
    return Grader(Kit.here())


def graded(grader: Grader, name: str, slope: str) -> Report:
    """The report on the reference with a root of its own."""
    return grader.grade(Submission("transformer_block.py", "0", REFERENCE + ROOT.format(name=name, slope=slope)))


@pytest.mark.parametrize("name", ["sqrt", "", "+", "exp", "dot", "**0.5", "**nan", "**x", "relu"])
def test_a_right_operation_keeps_its_marks_under_any_name(grader: Grader, name: str) -> None:
    """The name is the student's business, also where the given Value has it for something else."""
    assert graded(grader, name, FORMULA).score == 100


@pytest.mark.parametrize("name", ["sqrt", "", "+"])
def test_a_measured_gradient_loses_its_marks(grader: Grader, name: str) -> None:
    """It fits the slopes, and is told apart by its noise."""
    report = graded(grader, name, MEASURED)
    lost = {result.id: result.message for result in report.results if result.status == "failed"}
    assert lost.keys() == {"LayerNorm.gradient"} and "right to a few digits only" in lost["LayerNorm.gradient"]


def test_a_wrong_formula_loses_its_marks(grader: Grader) -> None:
    """Twice the slope is no slope."""
    report = graded(grader, "sqrt", "1.0 / out.data")
    assert "LayerNorm.gradient" in {result.id for result in report.results if result.status == "failed"}


def test_only_components_with_operations_of_their_own_are_asked() -> None:
    """A recorded computation of given operations needs no second look."""
    given, own = (
        graph({"x": ("",), "y": ("exp", "x")}, "x", "", "y"),
        graph({"x": ("",), "y": ("e", "x")}, "x", "", "y"),
    )
    seen = {Probe(c, (4,)): answered((0.5,), graph=given) for c in COMPONENTS}
    assert with_own(seen) == ()
    assert with_own({**seen, Probe("FeedForward", (4,)): answered((0.5,), graph=own)}) == ("FeedForward",)


def along(numbers: list[float]) -> list[Observation]:
    """Gradients at the points of a line: one of an input, and a steady one of a parameter."""
    steady = RIGHT.parameters
    return [answered((0.0,), gradients=type(RIGHT)((g,), steady, *[(0.0,) * 4] * 2)) for g in numbers]  # type: ignore[arg-type]


def test_smooth_gradients_have_no_noise() -> None:
    """A polynomial of a low degree leaves nothing but rounding."""
    assert noise(along([3.0 + 0.1 * k * k for k in range(POINTS)])) < 1e-14


def test_noise_shows_at_any_point() -> None:
    """One digit far behind the point is enough."""
    assert noise(along([3.0, 3.0, 3.0, 3.0 + 1e-10, 3.0, 3.0])) > NOISE


def test_unanswered_points_are_no_proof() -> None:
    """Who dies on the way has shown nothing."""
    assert noise(along([3.0] * (POINTS - 1))) == float("inf")


def test_one_line_without_a_kink_is_enough() -> None:
    """A ReLU that bends on the way says nothing about the formula."""
    asked = lines(0, ["FeedForward"])
    kinked, smooth = along([0.0, 0.0, 0.0, 1.0, 1.0, 1.0]), along([1.0] * POINTS)
    probes = [probe for line in asked["FeedForward"] for probe in line]
    seen = dict(zip(probes, [*kinked * (LINES - 1), *smooth]))
    assert exact(evidence({}), asked, seen).exact == {"FeedForward"}
    assert exact(evidence({}), asked, dict(zip(probes, kinked * LINES))).exact == frozenset()


def test_a_smooth_gradient_has_to_fit_the_slopes_too() -> None:
    """A gradient of 1 for everything has no noise."""
    asked, slope = lines(0, ["FeedForward"]), Slope((1.0,), (1.0,), (1.0,))
    smooth = {probe: seen for line in asked["FeedForward"] for probe, seen in zip(line, along([1.0] * POINTS))}
    sides = sloped((1.0,), (1.0,), slope, inputs=1.0)
    measured = {Probe("FeedForward", (4,), (Call((1.0,)),), slope=slope): answered((0.5,), gradients=sides)}
    assert exact(evidence(measured), asked, smooth).exact == frozenset()
