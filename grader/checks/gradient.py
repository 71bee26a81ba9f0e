"""Rules on gradients: backward against central differences along directions, and weights that get no gradient."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import hypot

from grader.checks.evidence import Evidence, Ruling, built
from grader.compare import digits, flat, slope_along, slopes_agree, slopes_measured
from grader.records import Gradients, Graph, Probe, Slope

NO_GRADIENT = 1e-11  # relative to the norm; the key bias gets 1e-16 of it
TWINS = 1e-13  # relative to the norm: the same sums in another order differ by 1e-16


def fits_slopes(evidence: Evidence, probes: Sequence[Probe]) -> Ruling:
    """The gradient fits the measured slope over the inputs and over the parameters, at one point at least.

    A point where the slope itself cannot be measured (a kink of the ReLU within a step, values too coarse) counts
    neither way. A gradient that is wrong is wrong at each of the others (GRADIENTS, section 3).
    """
    asked = [(probe.slope, evidence.observed[probe].gradients) for probe in probes]
    for what in ("inputs", "parameters"):
        rulings = [_compared(slope, seen, what) for slope, seen in asked if slope and seen]
        smooth = [trouble for measurable, trouble in rulings if measurable]
        if smooth and all(smooth):
            return f"{built(probes[0])}: {smooth[0]}"
    return None


def _compared(slope: Slope, seen: Gradients, what: str) -> tuple[bool, str | None]:
    """Whether the slope can be measured, and what is wrong with the gradient, if anything."""
    if what == "inputs":
        gradient, direction, sides = flat(seen.inputs), flat(slope.inputs), seen.along_inputs
    else:
        gradient, direction, sides = seen.parameters, slope.parameters, seen.along_parameters
    claimed, (measured, again) = slope_along(gradient, direction), slopes_measured(sides, slope.step)
    if slopes_agree(claimed, measured, gradient):
        return True, None
    if not slopes_agree(measured, again, gradient):
        return False, None
    a, b = digits(claimed, measured)
    return True, (
        f"moving the {what} along a fixed direction changes the weighted output by {b} per unit, but the gradient "
        f"that backward() gives says {a}{_silent(gradient, what)}. Some number on the way is cut from the graph "
        "(.data, Value(v.data), float) or counted twice."
    )


def _silent(gradient: Sequence[float], what: str) -> str:
    norm = hypot(*gradient)
    silent = sum(abs(g) <= NO_GRADIENT * norm for g in gradient)
    return f" ({silent} of {len(gradient)} {what} get no gradient at all)" if silent else ""


def reaches_every_weight(evidence: Evidence, probes: Sequence[Probe]) -> Ruling:
    """No weight is without gradient at every point, but for the key bias, which has none by mathematics."""
    silent, count = _always_silent(evidence, probes)
    idle = min((unused(graph) for p in probes if (graph := evidence.observed[p].graph)), default=0)
    if idle:
        who = f"{idle} of {count} parameters take no part in the result"
        return f"{built(probes[0])}: {who}, yet parameters() lists them; expected none."
    D, readings = int(probes[0].args[0]), evidence.readings[probes[0].component]
    allowed = max((D * bool(dict(reading.options).get("k_bias")) for reading in readings), default=0)
    if silent <= allowed:
        return None
    most = f"at most {allowed} (the bias of the keys)" if allowed else "none"
    return (
        f"{built(probes[0])}: {silent} of {count} parameters get no gradient; expected {most}. "
        "Some weights are built but their result is not used."
    )


def keeps_none_back(evidence: Evidence, probes: Sequence[Probe]) -> Ruling:
    """No weights are used but not listed: a few Values may be constants, as many as there are channels are not."""
    for probe in probes:
        graph = evidence.observed[probe].graph
        if graph is not None and graph.unlisted >= int(probe.args[0]):
            return (
                f"{built(probe)} computes with {graph.unlisted} Values that it keeps from call to call but that "
                "parameters() does not list; expected none: what is not listed is never trained."
            )
    return None


def acts_apart(evidence: Evidence, probes: Sequence[Probe]) -> Ruling:
    """No two weights do one and the same thing, but for the biases of output layers whose results are added up.

    Weights whose gradients are equal at every point act as their sum: the numbers they meet are copies of each other.
    """
    varied = [probe for probe in probes if len(probe.setting.values) > 1]
    twins = min((_twins(evidence, probe) for probe in varied), default=0)
    for probe in varied[:1]:
        D, H = int(probe.args[0]), int(probe.args[1])
        each = any(dict(r.options).get("out_bias") == "each" for r in evidence.readings[probe.component])
        if twins > (H - 1) * D * each:
            return (
                f"{built(probe)}: {twins} parameters have the same gradient as another one, at every input; expected "
                "each to act in a way of its own. Is the same number repeated, where each head has its own?"
            )
    return None


def _twins(evidence: Evidence, probe: Probe) -> int:
    """How many parameters have a gradient that one before them has."""
    seen = evidence.observed[probe].gradients
    assert seen is not None
    close = TWINS * hypot(*seen.parameters)
    moved = sorted(g for g in seen.parameters if abs(g) > close)
    return sum(b - a <= close for a, b in pairwise(moved))


def unused(graph: Graph) -> int:
    """How many parameters no output was computed from (the bias of the keys has no gradient, but takes part)."""
    live = set(graph.outputs)
    for node in range(len(graph.ops) - 1, -1, -1):  # parents come after their children
        if node in live:
            live.update(graph.children[node])
    return len(set(graph.parameters) - live)


def _always_silent(evidence: Evidence, probes: Sequence[Probe]) -> tuple[int, int]:
    found: set[int] | None = None
    count = 0
    for probe in probes:
        seen = evidence.observed[probe].gradients
        assert seen is not None
        norm, count = hypot(*seen.parameters), len(seen.parameters)
        silent = {i for i, g in enumerate(seen.parameters) if abs(g) <= NO_GRADIENT * norm}
        found = silent if found is None else found & silent
    return len(found or ()), count
