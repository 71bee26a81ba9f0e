"""Rules on the recorded computation: it must be the one that made the outputs, here and a little further on.

A forward pass that makes its numbers elsewhere (plain floats, a table, a linear model of the right answer) and only
dresses them in Values agrees with the graph at one point, not at the next.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from grader.checks.evidence import Evidence, Ruling, built
from grader.compare import digits, flat
from grader.records import Graph, Probe

NODE_TOLERANCE = 1e-12  # a node is its operation on its children, up to the order of a product or sum
REPLAY_TOLERANCE = 1e-8  # honest code agrees to 1e-15; a linear model is off by the square of the nudge, 1e-5
COARSE = 1e-15  # relative to the largest number on the way: a mask of -1e9 leaves what passes through it 1e-7 coarse
TOO_LARGE = 1e300  # masks of minus infinity are recorded as the largest number


def keeps_record(evidence: Evidence, probes: Sequence[Probe]) -> Ruling:
    """The graph recorded in call 0 has true nodes, and gives the outputs of call 1 from the inputs of call 1.

    A branch on the sign of a number may lie between the two inputs at one point, not at every one.
    """
    rulings: list[Ruling] = []
    for probe in probes:
        graph = evidence.observed[probe].graph
        if graph is None or not _known(graph):
            return None  # another engine with operations of its own: slopes and values decide
        rulings.append(_untrue(graph) or _elsewhere(evidence, probe, graph))
    return f"{built(probes[0])}: {rulings[0]}" if rulings and all(rulings) else None


def _known(graph: Graph) -> bool:
    return all(_value(op, [1.0] * max(1, len(below))) is not None for op, below in zip(graph.ops, graph.children))


def _value(op: str, below: Sequence[float]) -> float | None:
    """An operation of the given Value on its children's numbers; None for one that it does not have.

    Children are a set: one child of a sum or product stands on both sides.
    """
    try:
        if op == "+":
            return below[0] + below[-1]
        if op == "*":
            return below[0] * below[-1]
        if op.startswith("**"):
            return float(below[0] ** float(op[2:]))
        return {"": _leaf, "exp": math.exp, "log": _log, "relu": _relu}[op](below[0])
    except (KeyError, ValueError):
        return None
    except (OverflowError, ZeroDivisionError):
        return math.inf


def _leaf(number: float) -> float:
    return number


def _log(number: float) -> float:
    return math.log(max(number, 1e-10))


def _relu(number: float) -> float:
    return max(0.0, number)


def _untrue(graph: Graph) -> Ruling:
    for op, number, children in zip(graph.ops, graph.data, graph.children):
        below = [graph.data[c] for c in children]
        if not below or max(map(abs, (number, *below))) > TOO_LARGE:
            continue
        value = _value(op, below)
        if value is None or abs(value - number) > NODE_TOLERANCE * max(1.0, abs(number), *map(abs, below)):
            return (
                f"a Value records {number:.6g} as the result of {op!r} on {below}, which is {value}. "
                "Were its data or its children replaced?"
            )
    return None


def _elsewhere(evidence: Evidence, probe: Probe, graph: Graph) -> Ruling:
    moved = dict(zip(graph.inputs, flat(probe.calls[1].x)))
    data = list(graph.data)
    for node, (op, children) in enumerate(zip(graph.ops, graph.children)):
        if node in moved:
            data[node] = moved[node]
        elif children and abs(graph.data[node]) <= TOO_LARGE:
            data[node] = _value(op, [data[c] for c in children]) or 0.0
    largest = max((abs(v) for v in graph.data if abs(v) <= TOO_LARGE), default=0.0)
    tolerance = max(REPLAY_TOLERANCE, COARSE * largest)
    for node, answer in zip(graph.outputs, flat(evidence.numbers(probe, 1))):
        if abs(data[node] - answer) > tolerance * max(1.0, abs(answer)):
            recorded, got = digits(data[node], answer)
            return (
                f"with the inputs moved a little, the recorded graph gives {recorded} but forward gives {got}. "
                "Some of the output is computed outside of the graph (.data, float, a stored number)."
            )
    return None
