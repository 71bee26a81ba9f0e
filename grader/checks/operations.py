"""The operations of the given Value on plain numbers: results forward, derivatives backward."""

from __future__ import annotations

import math
from collections.abc import Sequence

from grader.records import Graph

TOO_LARGE = 1e300  # masks of minus infinity are recorded as the largest number


def is_known(graph: Graph) -> bool:
    """Whether every node's operation is one of the given Value's."""
    pairs = {(op, min(2, len(below))) for op, below in zip(graph.ops, graph.children)}
    return all(result(op, [1.0] * max(1, count)) is not None for op, count in pairs)


def result(op: str, below: Sequence[float]) -> float | None:
    """An operation on its children's numbers; None for one that the given Value does not have.

    Children are a set: one child of a sum or product stands on both sides.
    """
    try:
        if op == "+":
            return below[0] + below[-1]
        if op == "*":
            return below[0] * below[-1]
        if op.startswith("**"):
            return float(below[0] ** _exponent(op))
        return {"": float, "exp": math.exp, "log": _log, "relu": _relu}[op](below[0])
    except (KeyError, ValueError, TypeError):
        return None
    except (OverflowError, ZeroDivisionError):
        return math.inf


def adjoints(graph: Graph, weights: Sequence[float]) -> list[float] | None:
    """d(sum of weights * outputs) / d(node) for every node; None where a number on the way is not finite."""
    found = [0.0] * len(graph.ops)
    for node, weight in zip(graph.outputs, weights):
        found[node] += weight
    for node in range(len(found) - 1, -1, -1):  # parents come after their children
        below = [graph.data[c] for c in graph.children[node]]
        if found[node] and below:
            for child, slope in zip(graph.children[node], _slopes(graph.ops[node], below, graph.data[node])):
                found[child] += found[node] * slope
    return found if all(map(math.isfinite, found)) else None


def _slopes(op: str, below: Sequence[float], number: float) -> list[float]:
    twice = 2.0 if len(below) == 1 else 1.0
    try:
        if op == "+":
            return [twice] * len(below)
        if op == "*":
            return [twice * other for other in reversed(below)]
        if op.startswith("**"):
            n = _exponent(op)
            return [float(n * below[0] ** (n - 1.0))]
        return [{"exp": number, "log": 1.0 / max(below[0], 1e-10), "relu": float(below[0] > 0.0)}[op]]
    except (OverflowError, ZeroDivisionError, TypeError):
        return [math.inf] * len(below)


def _exponent(op: str) -> float:
    """The plain number in "**0.5"; NaN would agree with everything, infinity with every number below 1."""
    number = float(op[2:])
    if not math.isfinite(number):
        raise ValueError(op)
    return number


def _log(number: float) -> float:
    return math.log(max(number, 1e-10))


def _relu(number: float) -> float:
    return max(0.0, number)
