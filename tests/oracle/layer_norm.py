"""Evidence against a LayerNorm: a hand-in's module comes in, a Fault comes out if there is one."""

from __future__ import annotations

import itertools
from types import ModuleType

from tests.oracle import contract, slopes
from tests.oracle.floats import Row, layer_norm
from tests.oracle.questions import Part, build, distance, must, noise

NAME = "LayerNorm"
CLOSE = 1e-7  # E[x^2] - E[x]^2 loses half of the digits, and is right

VECTORS: tuple[Row, ...] = (
    [1.0, 2.0, 3.0, 4.0],
    [0.001, -0.002, 0.0015, 0.0005],
    [-3.0, 0.5, 2.0],
    [2.5, 2.5, 2.5, 2.5, 2.5],
    [100.0, 101.5, 98.0, 100.5],
    [0.7],
    [0.2, -0.9],
    [0.3, -0.2] * 14 + [50.0],
)


def registered(module: ModuleType) -> None:
    """There is a scale and a shift per channel, registered."""
    for D in (5, 1):
        count = len(contract.registered(module, NAME, (D,), noise("vector", D)))
        must(count == 2 * D, "parameters", f"{NAME}({D}) has {count} parameters instead of {2 * D}")


def fresh(module: ModuleType) -> None:
    """A new layer is plain normalisation, at the default eps and at any that is given."""
    for x in VECTORS:
        for eps in (None, 1e-5, 0.5, 1e-3):
            given = () if eps is None else (eps,)
            normalises(build(module, NAME, len(x), *given), x, 1e-5 if eps is None else eps)
    normalises(build(module, NAME, 4, eps=2.0), VECTORS[0], 2.0)


def normalises(part: Part, x: Row, eps: float) -> None:
    """A new layer gives the formula's numbers."""
    plain = {"scale": [1.0] * len(x), "shift": [0.0] * len(x)}
    gap = distance(part.answer(x), layer_norm(x, plain, eps))
    must(gap <= CLOSE, "values", f"fresh {part.name} on {x} is {gap:.3g} off the formula")


def equal_parameters(module: ModuleType) -> None:
    """With all parameters c the answer is c n + c, or (1 + c) n + c where the scale is an offset."""
    offsets = [False, True]
    for x in VECTORS:
        for c in (0.7, -1.3):
            part = build(module, NAME, len(x))
            part.fill(itertools.repeat(c))
            found = part.answer(x)
            filled = {"scale": [c] * len(x), "shift": [c] * len(x)}
            gaps = {offset: distance(found, layer_norm(x, {**filled, "offset": offset})) for offset in offsets}
            told = f"{part.name} with all parameters {c} on {x}"
            must(min(gaps.values()) <= CLOSE, "values", f"{told} is {min(gaps.values()):.3g} off scale and shift")
            offsets = [offset for offset in offsets if gaps[offset] <= CLOSE]


def repeatable(module: ModuleType) -> None:
    """Two equal calls agree, also with another call between them."""
    part = build(module, NAME, 4)
    contract.repeatable(part, VECTORS[0])
    first = part.answer(VECTORS[0])
    part.answer(VECTORS[4])
    gap = distance(part.answer(VECTORS[0]), first)
    must(gap == 0, "repeat", f"{part.name} answers {gap:.3g} differently after another vector")


def gradients(module: ModuleType) -> None:
    """Gradients are slopes, on a constant vector too, and reach every parameter."""
    for x in (VECTORS[0], VECTORS[2], [0.3, -0.1, 0.2, 0.1, -0.4]):
        slopes.agree(build(module, NAME, len(x)), x)
        slopes.reach(build(module, NAME, len(x)), [x], 0)
    slopes.agree(build(module, NAME, 3), [1.5, 1.5, 1.5])


CHECKS = (registered, repeatable, fresh, equal_parameters, gradients)
