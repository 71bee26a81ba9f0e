"""A part of a hand-in comes in; a Fault comes out if its gradients are not the slopes of its own forward pass."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from typing import Any

from tests.oracle.questions import Fault, Part, ask, flat, refill

STEPS = (1e-5, 1e-6)  # a kink of the ReLU spoils at most one of them
FAR = 1e-5  # of the gradient's length; rounding gives 1e-8, faults give 1e-4 and more
NOTHING = 1e-13  # the key bias, whose slope is 0, gets about 1e-17


def backward(part: Part, x: Any) -> tuple[list[Any], list[Any], list[float]]:
    """The Values that entered, the parameters, and the weights of the loss that was sent back to them."""
    entered, leaves = part.lift(x), part.parameters()
    for leaf in leaves:
        leaf.grad = 0.0
    outputs = flat(part.respond(entered), lambda leaf: leaf)
    chance = random.Random("loss")
    weights = [chance.uniform(0.5, 1.5) * chance.choice((-1, 1)) for _ in outputs]
    loss: Any = sum(out * weight for out, weight in zip(outputs, weights, strict=True))
    ask(f"backward() through {part.name}", loss.backward)
    return flat(entered, lambda leaf: leaf), leaves, weights


def unit(seed: str, length: int) -> list[float]:
    """A fixed random direction of length 1."""
    chance = random.Random(seed)
    direction = [chance.gauss(0.0, 1.0) for _ in range(length)]
    return [step / math.hypot(*direction) for step in direction]


def moved(x: Any, ways: Iterator[float], step: float) -> Any:
    """Nested numbers, each moved by step along its own way."""
    return [moved(row, ways, step) for row in x] if isinstance(x, list) else x + step * next(ways)


def slope(part: Part, x: Any, weights: list[float], ways: tuple[list[float], list[float]], step: float) -> float:
    """How the loss of the hand-in's forward pass changes along ways over its inputs and parameters."""
    leaves = part.parameters()
    numbers, losses = [leaf.data for leaf in leaves], []
    for side in (step, -step):
        for leaf, number, way in zip(leaves, numbers, ways[1], strict=True):
            leaf.data = number + side * way
        answer = part.answer(moved(x, iter(ways[0]), side))
        losses.append(sum(weight * out for weight, out in zip(weights, answer, strict=True)))
    for leaf, number in zip(leaves, numbers, strict=True):
        leaf.data = number
    return (losses[0] - losses[1]) / (2 * step)


def agree(part: Part, x: Any, seed: str = "slopes") -> None:
    """Gradients equal slopes along random directions over the inputs and over the parameters."""
    refill(part, seed)
    entered, leaves, weights = backward(part, x)
    gradients = [leaf.grad for leaf in entered], [leaf.grad for leaf in leaves]
    length = max(math.hypot(*gradients[0], *gradients[1]), 1e-3)
    still = [0.0] * len(entered), [0.0] * len(leaves)
    for turn in range(2):
        over_inputs = unit(f"inputs {turn}", len(entered)), still[1]
        over_parameters = still[0], unit(f"parameters {turn}", len(leaves))
        for name, ways in (("inputs", over_inputs), ("parameters", over_parameters)):
            told = sum(g * way for side in (0, 1) for g, way in zip(gradients[side], ways[side], strict=True))
            gaps = (abs(told - slope(part, x, weights, ways, step)) for step in STEPS)
            if all(gap > FAR * length for gap in gaps):
                seen = slope(part, x, weights, ways, STEPS[0])
                sentence = f"along a direction over the {name} is {seen:.6g}, backward() says {told:.6g}"
                raise Fault("gradient", f"{part.name}: the slope {sentence}")


def reach(part: Part, xs: list[Any], allowed: int) -> None:
    """Every input and, but for the allowed number, every parameter gets a gradient from one of the inputs xs."""
    reached: set[tuple[str, int]] = set()
    blind, dead = 0, 0
    for turn, x in enumerate(xs):
        refill(part, f"reach {turn}")  # so that a dead unit of a ReLU lives in another turn
        entered, leaves, _ = backward(part, x)
        for name, row in (("input", entered), ("parameter", leaves)):
            reached |= {(name, i) for i, leaf in enumerate(row) if abs(leaf.grad) > NOTHING}
        blind = len(entered) - sum(name == "input" for name, _ in reached)
        dead = len(leaves) - sum(name == "parameter" for name, _ in reached)
        if not blind and dead <= allowed:
            return
    told = f"{blind} inputs and {dead} of {len(part.parameters())} parameters get no gradient"
    raise Fault("gradient", f"{part.name}: {told}, 0 and {allowed} may")


def apart(part: Part, xs: list[Any], allowed: int) -> None:
    """But for the allowed number, no parameter has the gradient of another one at every x: they would act as one."""
    rows = []
    for turn, x in enumerate(xs):
        refill(part, f"apart {turn}")
        rows.append([leaf.grad for leaf in backward(part, x)[1]])
    patterns = [
        tuple(round(g, 10) for g in pattern) for pattern in zip(*rows, strict=True) if max(map(abs, pattern)) > FAR
    ]
    twins = len(patterns) - len(set(patterns))
    if twins > allowed:
        raise Fault("gradient", f"{part.name}: {twins} parameters have the gradient of another one, {allowed} may")
