"""Operations of the hand-in's own: a Value made by hand, with a name and a backward pass that nobody else knows.

What such a node records cannot be done again here, so nothing but the slopes speaks for its gradient; and a gradient
that is measured, by moving every number a little, fits them too. A formula gives a gradient to the last digits, so
along a line it is as smooth as the function is; a measured one has noise, and that shows.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from math import comb, hypot
from random import Random

from grader.checks.ask_block import FULL
from grader.checks.draws import CYCLE, row, rows, varied
from grader.checks.evidence import Evidence
from grader.checks.gradient import fits_slopes
from grader.checks.operations import is_true
from grader.compare import flat
from grader.records import COMPONENTS, Call, Component, Numbers, Observation, Probe, Setting, Slope

LINES, POINTS = 3, 6  # a kink of the ReLU may lie on a line; not on all of them
STEP = 1e-4  # the fifth power is far below rounding
NOISE = 1e-13  # of the gradient's norm: formulas have 5e-15 at most, measurements by steps of 1e-5 have 3e-11
_SIZES: dict[Component, tuple[float, ...]] = {
    "MultiHeadAttention": (4, 2), "LayerNorm": (5,), "FeedForward": (4, 12), "TransformerBlock": (4, 2),
}  # fmt: skip

Lines = tuple[tuple[Probe, ...], ...]


def with_own(observed: Mapping[Probe, Observation]) -> tuple[Component, ...]:
    """The components that recorded a computation which is not made of the given operations."""
    strange = {p.component for p, seen in observed.items() if seen.graph and not is_true(seen.graph)}
    return tuple(component for component in COMPONENTS if component in strange)


def lines(seed: int, components: Iterable[Component]) -> dict[Component, Lines]:
    """Per component, gradients at points of a few straight lines."""
    return {one: tuple(_line(Random(f"line {k} {one} {seed}"), one) for k in range(LINES)) for one in components}


def probes(asked: Mapping[Component, Lines]) -> list[Probe]:
    """All that is asked."""
    return [probe for every in asked.values() for line in every for probe in line]


def _line(rng: Random, component: Component) -> tuple[Probe, ...]:
    args, whole = _SIZES[component], component == "TransformerBlock"
    T = 3 if component in ("MultiHeadAttention", "TransformerBlock") else 0  # 0: one row alone
    x, along, weights = (_drawn(rng, T, int(args[0])) for _ in range(3))
    slope = Slope(weights, along, row(rng, CYCLE), step=0.0)
    setting, stand_ins = (Setting(), FULL) if whole else (varied(rng), None)
    calls = [(Call(_moved(x, along, k * STEP)),) for k in range(POINTS)]
    return tuple(Probe(component, args, one, setting=setting, slope=slope, stand_ins=stand_ins) for one in calls)


def _drawn(rng: Random, T: int, D: int) -> Numbers:
    return rows(rng, T, D) if T else row(rng, D)


def _moved(x: Numbers, along: Numbers, step: float) -> Numbers:
    new = iter([v + step * u for v, u in zip(flat(x), flat(along))])
    return tuple(tuple(next(new) for _ in r) for r in x) if isinstance(x[0], tuple) else tuple(new)


def exact(evidence: Evidence, asked: Mapping[Component, Lines], seen: Mapping[Probe, Observation]) -> Evidence:
    """The evidence with the components whose gradients fit the slopes and are smooth along a line at least."""
    smooth = [c for c, every in asked.items() if min(noise([seen[p] for p in line]) for line in every) <= NOISE]
    return replace(evidence, exact=frozenset(c for c in smooth if _fits(evidence, c)))


def _fits(evidence: Evidence, component: Component) -> bool:
    asked = [p for p, seen in evidence.observed.items() if p.component == component and p.slope and seen.gradients]
    return fits_slopes(evidence, [p for p in asked if p.slope and p.slope.step]) is None


def noise(along: Sequence[Observation]) -> float:
    """The highest difference of the gradients at evenly spaced points, relative to their norm; infinite without any."""
    gradients = [[*flat(one.gradients.inputs), *one.gradients.parameters] for one in along if one.gradients]
    if len(gradients) < POINTS or len({*map(len, gradients)}) > 1:
        return float("inf")
    signs = [(-1) ** k * comb(POINTS - 1, k) for k in range(POINTS)]
    highest = (abs(sum(s * g for s, g in zip(signs, entry))) for entry in zip(*gradients))
    return max(highest, default=0.0) / max(1e-3, hypot(*gradients[0]))
