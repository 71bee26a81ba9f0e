"""Rules on heads from the recorded graph, whatever the layout: each has scores of its own, used for its own values."""

from __future__ import annotations

from collections.abc import Sequence

from grader.checks.evidence import Evidence, Ruling, built
from grader.checks.operations import is_true
from grader.records import Graph, Probe


def attend_apart(evidence: Evidence, probes: Sequence[Probe]) -> Ruling:
    """There are num_heads sets of weights behind the scores, none shared, and no value is weighted by a mix of them."""
    probe = probes[0]
    graph, H = evidence.observed[probe].graph, int(probe.args[1])
    if graph is None or (probe.component in evidence.exact and not is_true(graph)):
        return None  # operations of its own, which may be softmax as a whole: the other checks decide
    behind, mixed = score_weights(graph)
    if len(behind) != H or _overlap(behind):
        return (
            f"{built(probe)}: the attention scores come from {_sets(behind)}; expected {H} separate sets, one per head."
        )
    if not mixed <= behind:
        return (
            f"{built(probe)}: values are weighted by a mix of several heads' attention; "
            "expected each head to use its own weights only."
        )
    return None


def _sets(behind: set[int]) -> str:
    shared = " that share weights" if _overlap(behind) else ""
    return f"{len(behind)} set{'s' if len(behind) != 1 else ''} of weights{shared}"


def _overlap(masks: set[int]) -> bool:
    total = 0
    for mask in masks:
        if total & mask:
            return True
        total |= mask
    return False


def score_weights(graph: Graph) -> tuple[set[int], set[int]]:
    """Sets of parameters (as bit masks) below each first exponential, and behind each weighting of a value."""
    bit = {node: 1 << i for i, node in enumerate(graph.parameters)}
    inputs = set(graph.inputs)
    weights, scores, from_x = [0] * len(graph.ops), [0] * len(graph.ops), [False] * len(graph.ops)
    behind: set[int] = set()
    mixed: set[int] = set()
    used = _below_outputs(graph)
    for node, (op, children) in enumerate(zip(graph.ops, graph.children)):
        weights[node] = bit.get(node, 0)
        from_x[node] = node in inputs
        for child in children:
            weights[node] |= weights[child]
            scores[node] |= scores[child]
            from_x[node] = from_x[node] or from_x[child]
        if op == "exp" and used[node] and weights[node] and not scores[node]:
            behind.add(weights[node])
            scores[node] = weights[node]
        elif op in ("*", "dot"):
            half = len(children) // 2
            for one, other in zip(children[:half], children[half:]):
                for weight, value in ((one, other), (other, one)):
                    if scores[weight] and not scores[value] and from_x[value] and weights[value]:
                        mixed.add(scores[weight])
    return behind, mixed


def _below_outputs(graph: Graph) -> list[bool]:
    """Which nodes an output was computed from: a node that leads nowhere counts for nothing."""
    used = [False] * len(graph.ops)
    for node in graph.outputs:
        used[node] = True
    for node in range(len(graph.ops) - 1, -1, -1):  # children come before parents
        if used[node]:
            for child in graph.children[node]:
                used[child] = True
    return used
