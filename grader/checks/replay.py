"""Rules on the recorded computation: it must be the one that made the outputs, here and a little further on.

A forward pass that makes its numbers elsewhere (plain floats, a table, a linear model of the right answer) and only
dresses them in Values agrees with the graph at one point, not at the next.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot

from grader.checks.evidence import Evidence, Ruling, built
from grader.checks.operations import TOO_LARGE, adjoints, is_true, result, untrue
from grader.compare import digits, flat
from grader.records import Graph, Probe

REPLAY_TOLERANCE = 1e-8  # honest code agrees to 1e-15; a linear model is off by the square of the nudge, 1e-5
COARSE = 1e-15  # relative to the largest number on the way: a mask of -1e9 leaves what passes through it 1e-7 coarse
GRADIENT_TOLERANCE = 1e-9  # of its norm: the same sums in another order


def keeps_record(evidence: Evidence, probes: Sequence[Probe]) -> Ruling:
    """The graph recorded in call 0 gives the outputs of call 1 from its inputs, and the gradient.

    A branch on the sign of a number may lie between the two inputs at one point, not at every one. Where nodes are
    not the given operations of their names, the gradient has to be exact instead (see own_operations).
    """
    rulings: list[str] = []
    for probe in probes:
        graph = evidence.observed[probe].graph
        if graph is None:
            continue
        if is_true(graph):
            ruling = _elsewhere(evidence, probe, graph) or _claimed(evidence, probe, graph)
        else:
            ruling = None if probe.component in evidence.exact else _unfollowed(graph)
        if ruling is None:
            return None
        rulings.append(ruling)
    return f"{built(probes[0])}: {rulings[0]}" if rulings else None


def makes_answers(evidence: Evidence, probe: Probe) -> bool:
    """Whether the graph recorded in call 0, done again here, gives the outputs of call 1."""
    seen = evidence.observed[probe]
    if seen.outcome != "answered" or seen.graph is None or any(answer.numbers is None for answer in seen.answers):
        return False
    if len(seen.answers) < 2 or not is_true(seen.graph):
        return False
    return not _elsewhere(evidence, probe, seen.graph)


def _unfollowed(graph: Graph) -> Ruling:
    """What cannot be followed, for a gradient that is not exact either."""
    found = untrue(graph)
    if found is None:
        return None
    op, below, number = found
    return (
        f"its gradient is right to a few digits only, as one that is measured by small steps, and a Value says that it "
        f"is {op!r} of {_few(below)} and has {number:.6g} as its data. Make results with Value's own operations; "
        "where you make a Value by hand, its _backward needs the exact formula."
    )


def _few(numbers: Sequence[float]) -> str:
    told = ", ".join(f"{v:.6g}" for v in numbers[:3])
    return f"{told} and {len(numbers) - 3} more" if len(numbers) > 3 else told


def _elsewhere(evidence: Evidence, probe: Probe, graph: Graph) -> Ruling:
    moved = dict(zip(graph.inputs, flat(probe.calls[1].x)))
    data = list(graph.data)
    for node, (op, children) in enumerate(zip(graph.ops, graph.children)):
        if node in moved:
            data[node] = moved[node]
        elif children and abs(graph.data[node]) <= TOO_LARGE:
            data[node] = result(op, [data[c] for c in children]) or 0.0
    largest = max((abs(v) for v in graph.data if abs(v) <= TOO_LARGE), default=0.0)
    tolerance = max(REPLAY_TOLERANCE, COARSE * largest)
    for node, answer in zip(graph.outputs, flat(evidence.numbers(probe, 1))):
        if not abs(data[node] - answer) <= tolerance * max(1.0, abs(answer)):  # NaN is no agreement
            recorded, got = digits(data[node], answer)
            return (
                f"with the inputs moved a little, the recorded graph gives {recorded} but forward gives {got}. "
                "Some of the output is computed outside of the graph (.data, float, a stored number)."
            )
    return None


def _claimed(evidence: Evidence, probe: Probe, graph: Graph) -> Ruling:
    """The gradient that backward() gave is that of the recorded graph."""
    seen, slope = evidence.observed[probe].gradients, probe.slope
    if seen is None or slope is None:
        return None
    by_node = adjoints(graph, flat(slope.weights))
    if by_node is None:
        return None  # infinite numbers on the way: the slopes decide
    for what, nodes, claims in (
        ("input", graph.inputs, flat(seen.inputs)),
        ("parameter", graph.parameters, seen.parameters),
    ):
        norm = max(1e-3, hypot(*claims))
        for k, (node, claim) in enumerate(zip(nodes, claims)):
            if abs(by_node[node] - claim) > GRADIENT_TOLERANCE * norm:
                recorded, got = digits(by_node[node], claim)
                return f"backward() gives {got} for {what} number {k}, the recorded graph {recorded}."
    return None
