"""Evidence against a TransformerBlock: a hand-in's module comes in, a Fault comes out if there is one."""

from __future__ import annotations

import itertools
from types import ModuleType
from typing import Any

from tests.oracle import attention, contract, slopes
from tests.oracle.floats import Rows, add
from tests.oracle.questions import TINY, Part, build, distance, flat, must, noise, refill

NAME = "TransformerBlock"
SIZES = ((3, 4, 2), (1, 4, 4), (5, 3, 1), (1, 6, 3), (18, 2, 1))


def divisible(module: ModuleType) -> None:
    """The number of heads is validated."""
    contract.divisible(module, NAME)


def registered(module: ModuleType) -> None:
    """The parameters are in order, and those of two layer norms, an attention and a feed-forward."""
    for T, D, H in SIZES:
        count = len(contract.registered(module, NAME, (D, H), noise("rows", T, D)))
        part = build(module, NAME, D, H)
        norms, others = inside(part, "LayerNorm"), inside(part, "MultiHeadAttention", "FeedForward")
        if len(others) == 2:
            must(len(norms) != 1, "parameters", f"{part.name} has 1 LayerNorm instead of 2")
        if len(others) == 2 and len(norms) == 2:
            listed = {id(leaf) for one in (*norms, *others) for leaf in one.parameters()}
            own = {id(leaf) for leaf in part.parameters()}
            told = f"{part.name} has {count} parameters, its four parts have {len(listed)}"
            must(own == listed, "parameters", told)


def inside(part: Part, *components: str) -> list[Part]:
    """The instances of these components that the block holds, at any depth of lists and wrappers."""
    kinds = {name: vars(part.module).get(name) for name in components}
    found: list[Part] = []
    seen, waiting = {id(part.made)}, [part.made]
    while waiting:
        holder = waiting.pop()
        for thing in held(holder):
            if id(thing) in seen:
                continue
            seen.add(id(thing))
            name = next((name for name, kind in kinds.items() if isinstance(thing, kind or ())), None)
            if name is not None:
                found.append(Part(part.module, thing, f"the block's {name}"))
            else:
                waiting.append(thing)
    return found


def held(holder: Any) -> list[Any]:
    """What a list, a dictionary or an object of the hand-in's own classes holds."""
    if isinstance(holder, (list, tuple, dict)):
        return list(holder.values() if isinstance(holder, dict) else holder)
    return list(vars(holder).values()) if hasattr(holder, "_modules") else []


def repeatable(module: ModuleType) -> None:
    """Two equal calls agree."""
    contract.repeatable(build(module, NAME, 4, 2), noise("rows", 3, 4))


def causality(module: ModuleType) -> None:
    """Every row moves itself and the later rows, and no earlier one."""
    for D, H, T in ((4, 2, 4), (3, 1, 3)):
        part = build(module, NAME, D, H)
        refill(part, "causality", 0.6)
        attention.influence(part, noise("rows", T, D), True)


def residual(module: ModuleType) -> None:
    """With all parameters zero the block is the identity."""
    for T, D, H in SIZES:
        part = build(module, NAME, D, H)
        part.fill(itertools.repeat(0.0))
        x = noise("rows", T, D)
        gap = distance(part.answer(x), flat(x, lambda leaf: leaf))
        must(gap == 0, "residual", f"{part.name} with all parameters 0 is {gap:.3g} off its input")


def composition(module: ModuleType) -> None:
    """The block equals x + MHA(LN(x)), then y + FFN(LN(y)), in its own parts."""
    for T, D, H in SIZES:
        part = build(module, NAME, D, H)
        refill(part, "composition")
        norms = inside(part, "LayerNorm")
        others = inside(part, "MultiHeadAttention"), inside(part, "FeedForward")
        if [len(norms), *map(len, others)] != [2, 1, 1]:
            continue
        for x in (noise("rows", T, D), noise("loud rows", T, D, width=30.0))[: 1 + (D == 4)]:
            found = part.answer(x)
            gaps = [
                distance(found, flat(composed(x, first, others[0][0], second, others[1][0]), lambda leaf: leaf))
                for first, second in (norms, norms[::-1])
            ]
            told = f"{part.name}, T={T}, is {min(gaps):.3g} off x + MHA(LN(x)), y + FFN(LN(y)) of its own parts"
            must(min(gaps) <= TINY, "values", told)


def composed(x: Rows, norm1: Part, attention_part: Part, norm2: Part, feedforward: Part) -> Rows:
    """The two residual sums, each part called by itself."""
    D = len(x[0])
    attended = attention_part.answer([norm1.answer(row) for row in x])
    y = add(x, [attended[t * D : t * D + D] for t in range(len(x))])
    return add(y, [feedforward.answer(norm2.answer(row)) for row in y])


def gradients(module: ModuleType) -> None:
    """Gradients are slopes, and all but the key biases reach their parameter."""
    slopes.agree(build(module, NAME, 4, 2), noise("rows", 3, 4))
    rows = [noise(f"rows {i}", 3, 4) for i in range(12)]
    slopes.reach(build(module, NAME, 4, 2), rows, 4)


CHECKS = (divisible, registered, repeatable, residual, causality, composition, gradients)
