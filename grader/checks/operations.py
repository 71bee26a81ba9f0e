"""The operations of the given Value on plain numbers: results forward, derivatives backward."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from grader.records import Graph

TOO_LARGE = 1e300  # masks of minus infinity are recorded as the largest number


NODE_TOLERANCE = 1e-12  # a node is its operation on its children, up to the order of a product or sum


def is_true(graph: Graph) -> bool:
    """Whether every node is one of the given Value's operations on its children."""
    return untrue(graph) is None


def untrue(graph: Graph) -> tuple[str, list[float], float] | None:
    """The first node that is not the given operation of its name on its children: name, their numbers, its number."""
    for op, number, children in zip(graph.ops, graph.data, graph.children):
        if not children:
            continue
        below = [graph.data[c] for c in children]
        value = result(op, below)
        if value == number or (value is not None and max(map(abs, (number, *below))) > TOO_LARGE):
            continue
        if value is None or not abs(value - number) <= NODE_TOLERANCE * max(1.0, abs(number), *map(abs, below)):
            return op, below, number
    return None


def result(op: str, below: Sequence[float]) -> float | None:
    """An operation on its children's numbers; None for one that the given Value does not have.

    Children are a set: one child of a sum or product stands on both sides. Those of a "dot" stand in order, and
    repeat: first one side's factors, then the other's.
    """
    try:
        if op == "+":
            return below[0] + below[-1]
        if op == "*":
            return below[0] * below[-1]
        if op == "dot":
            return _dot(below)
        if op.startswith("**"):
            return float(below[0] ** _exponent(op))
        return _OF_ONE[op](below[0])
    except (KeyError, ValueError, TypeError):
        return None
    except (OverflowError, ZeroDivisionError):
        return math.inf


def unfolded(graph: Graph) -> Graph:
    """The same computation with every "dot" as products and their sums, as the given Value records it."""
    ops: list[str] = []
    data: list[float] = []
    children: list[tuple[int, ...]] = []
    place: list[int] = []  # per node, where it stands now

    def add(op: str, number: float, below: tuple[int, ...]) -> int:
        ops.append(op)
        data.append(number)
        children.append(below)
        return len(ops) - 1

    for op, number, nodes in zip(graph.ops, graph.data, graph.children):
        below, half = tuple(place[node] for node in nodes), len(nodes) // 2
        if op == "dot":
            total = add("", 0.0, ())
            for a, b in zip(below[:half], below[half:]):
                product = add("*", data[a] * data[b], (a, b))
                total = add("+", data[total] + data[product], (total, product))
            place.append(total)
        else:
            place.append(add(op, number, below))
    inputs, parameters, outputs = (
        tuple(place[node] for node in nodes) for nodes in (graph.inputs, graph.parameters, graph.outputs)
    )
    return Graph(tuple(ops), tuple(data), tuple(children), inputs, parameters, outputs, graph.unlisted)


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
        if op == "dot":
            return [*below[len(below) // 2 :], *below[: len(below) // 2]]
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


def _dot(below: Sequence[float]) -> float | None:
    """The sum of products, added in order as the given sum() over them does."""
    half, odd = divmod(len(below), 2)
    total = 0.0
    for a, b in zip(below[:half], below[half:]):
        total += a * b
    return None if odd else total


_OF_ONE: dict[str, Callable[[float], float]] = {"exp": math.exp, "log": _log, "relu": _relu}
