"""Evidence against a FeedForward: a hand-in's module comes in, a Fault comes out if there is one."""

from __future__ import annotations

import itertools
from types import ModuleType
from typing import Any

from tests.oracle import contract, slopes
from tests.oracle.floats import feed_forward
from tests.oracle.questions import TINY, Part, build, distance, must, noise

NAME = "FeedForward"
WIDTHS: tuple[tuple[int, int | None], ...] = ((4, None), (1, None), (3, 7), (4, 1), (2, 8))
BIASES = [(first, second) for first in (True, False) for second in (True, False)]


def hidden(D: int, width: int | None) -> int:
    """The width of the hidden layer that was asked for."""
    return 4 * D if width is None else width


def arguments(D: int, width: int | None) -> tuple[int, ...]:
    """The constructor's arguments."""
    return (D,) if width is None else (D, width)


def filled(rows: int, columns: int, bias: bool, c: float) -> Any:
    """A linear layer in which every number is c."""
    return [[c] * columns for _ in range(rows)], [c] * rows if bias else None


def registered(module: ModuleType) -> None:
    """There are two layers of the width that was asked for, with or without biases."""
    for D, width in WIDTHS:
        count = len(contract.registered(module, NAME, arguments(D, width), noise("vector", D)))
        h = hidden(D, width)
        accepted = sorted({2 * D * h + first * h + second * D for first, second in BIASES})
        told = f"{NAME}{arguments(D, width)} has {count} parameters"
        must(count in accepted, "parameters", f"{told}, two layers of width {h} have {accepted}")


def listed(module: ModuleType) -> None:
    """Nothing is kept from call to call but what is listed."""
    contract.listed(module, NAME, (4,), [noise("vector", 4), noise("another vector", 4)])


def repeatable(module: ModuleType) -> None:
    """Two equal calls agree."""
    contract.repeatable(build(module, NAME, 4), noise("vector", 4))


def equal_parameters(module: ModuleType) -> None:
    """With all parameters equal the answer is the exercise's, with x and -x, on both sides of the ReLU."""
    for D, width in WIDTHS:
        biases = list(BIASES)
        for made in (build(module, NAME, *arguments(D, width)), build(module, NAME, D, hidden_dim=width)):
            x = noise("vector", D)
            for c, sign in ((0.4, 1.0), (0.4, -1.0), (-0.3, 1.0), (-0.3, -1.0), (0.4, 80.0), (0.4, -80.0)):
                biases = explaining(biases, made, [sign * v for v in x], hidden(D, width), c)


def explaining(biases: list[tuple[bool, bool]], part: Part, x: list[float], h: int, c: float) -> list[Any]:
    """The choices of biases that give the answer of this call, at least one."""
    part.fill(itertools.repeat(c))
    found, D = part.answer(x), len(x)
    gaps = {
        (first, second): distance(
            found, feed_forward(x, {"first": filled(h, D, first, c), "second": filled(D, h, second, c)})
        )
        for first, second in biases
    }
    least = min(gaps.values())
    must(least <= TINY, "values", f"{part.name}, all parameters {c}: output is {least:.3g} off two layers of width {h}")
    return [choice for choice, gap in gaps.items() if gap <= TINY]


def gradients(module: ModuleType) -> None:
    """Gradients are slopes, and reach every parameter from one of several vectors."""
    for D, width in ((4, None), (3, 5)):
        vectors = [noise(f"vector {i}", D) for i in range(12)]
        for x in vectors[:2]:
            slopes.agree(build(module, NAME, *arguments(D, width)), x)
        slopes.reach(build(module, NAME, *arguments(D, width)), vectors, 0)


def varied(module: ModuleType) -> None:
    """The weights do not all start at one number."""
    contract.varied(build(module, NAME, 4))


CHECKS = (registered, listed, repeatable, equal_parameters, gradients, varied)
