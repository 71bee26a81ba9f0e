"""Reads attention weights off a recorded computation, whatever the layout: who weighs whom, and what softmax would."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from math import exp, sqrt

from grader.records import Graph, Row, Rows

Place = tuple[int, int, int]  # bit mask of a head's score weights, output row, input row


@dataclass(frozen=True)
class Head:
    """One head: its weights, output row by input row, and those of a causal softmax over its own q and k.

    ``expected`` is empty where the products of q and k could not be told apart.
    """

    weights: Rows
    expected: Rows


@dataclass
class _Below:
    """What lies below each node: inputs by row and parameters as bit masks, and the first score met."""

    rows: list[int]
    parameters: list[int]
    score: list[int]


def heads(graph: Graph, T: int, head_dim: int) -> tuple[Head, ...]:
    """Every head of a causal attention over T rows; nothing when the graph does not look like one."""
    below = _below(graph, T)
    above = _output_rows(graph, T)
    seen = _weights(graph, below, above)
    masks = sorted({mask for mask, _, _ in seen}, key=lambda mask: (mask & -mask, mask))  # by their first weight
    places = [(m, i, j) for m in masks for i in range(T) for j in range(i + 1)]
    if not masks or any(place not in seen for place in places):
        return ()
    scores = _scores(graph, below, above, head_dim)
    late = _divided_late(graph, below)
    return tuple(Head(_square(seen, m, T, m in late), _softmax(scores, m, T, head_dim)) for m in masks)


def _below(graph: Graph, T: int) -> _Below:
    count, width = len(graph.ops), max(1, len(graph.inputs) // T)
    below = _Below([0] * count, [0] * count, [0] * count)
    for k, node in enumerate(graph.inputs):
        below.rows[node] = 1 << (k // width)
    for k, node in enumerate(graph.parameters):
        below.parameters[node] = 1 << k
    for node, children in enumerate(graph.children):
        for child in children:
            below.rows[node] |= below.rows[child]
            below.parameters[node] |= below.parameters[child]
            below.score[node] |= below.score[child]
        if graph.ops[node] == "exp" and below.parameters[node] and not below.score[node]:
            below.score[node] = below.parameters[node]
    return below


def _output_rows(graph: Graph, T: int) -> list[int]:
    """Per node, the output rows that it is part of, as a bit mask."""
    above = [0] * len(graph.ops)
    width = max(1, len(graph.outputs) // T)
    for k, node in enumerate(graph.outputs):
        above[node] |= 1 << (k // width)
    for node in range(len(graph.ops) - 1, -1, -1):
        for child in graph.children[node]:
            above[child] |= above[node]
    return above


def _weights(graph: Graph, below: _Below, above: list[int]) -> dict[Place, float]:
    """The number that each value of one input row is multiplied with on its way to one output row."""
    found: dict[Place, float] = {}
    for node, (op, children) in enumerate(zip(graph.ops, graph.children)):
        if op != "*" or len(children) != 2:
            continue
        for weight, value in (children, children[::-1]):
            i, j = _one(above[node]), _one(below.rows[value])
            if below.score[weight] and not below.score[value] and below.parameters[value] and None not in (i, j):
                assert i is not None and j is not None
                found[below.score[weight], i, j] = graph.data[weight]
    return found


def _is_raw(graph: Graph, below: _Below, node: int) -> bool:
    """Whether this is the exponential of a score, not yet a share of the row's sum."""
    return graph.ops[node] == "exp" and not any(below.score[child] for child in graph.children[node])


def _divided_late(graph: Graph, below: _Below) -> set[int]:
    """Heads that divide by the row's sum only after the values were added up: their weights are exponentials."""
    found = set()
    for op, children in zip(graph.ops, graph.children):
        if op == "*" and len(children) == 2:
            for total, share in (children, children[::-1]):
                mask = below.score[share]
                if mask and mask == below.score[total] == below.parameters[share] != below.parameters[total]:
                    found.add(mask)
    return found


def _scores(graph: Graph, below: _Below, above: list[int], head_dim: int) -> Mapping[Place, float]:
    """q . k by head, output row and input row, without any scale; only where it is a sum of head_dim products."""
    found: dict[Place, list[float]] = defaultdict(list)
    tops = _score_of(graph, below)
    for node, (op, children) in enumerate(zip(graph.ops, graph.children)):
        both = [c for c in children if below.rows[c] and below.parameters[c]]
        i = _one(above[node])
        if op != "*" or len(both) != 2 or below.score[node] or i is None or tops[node] == 0:
            continue
        others = below.rows[node] & ~(1 << i)
        j = _one(others) if others else i
        if j is not None and below.rows[node] >> i & 1:
            found[tops[node], i, j].append(_unscaled(graph, below, both[0]) * _unscaled(graph, below, both[1]))
    return {place: sum(products) for place, products in found.items() if len(products) == head_dim}


def _score_of(graph: Graph, below: _Below) -> list[int]:
    """Per node below a score, that score's mask; zero where there is none or more than one."""
    top = [0] * len(graph.ops)
    for node in range(len(graph.ops) - 1, -1, -1):
        mask = top[node] or (below.score[node] if _is_raw(graph, below, node) else 0)
        if mask:
            for child in graph.children[node]:
                top[child] = mask
    return top


def _unscaled(graph: Graph, below: _Below, node: int) -> float:
    """The number of a node without the constants that it was multiplied with."""
    while graph.ops[node] == "*" and len(graph.children[node]) == 2:
        varying = [c for c in graph.children[node] if below.rows[c] or below.parameters[c]]
        if len(varying) != 1:
            break
        node = varying[0]
    return graph.data[node]


def _one(mask: int) -> int | None:
    """The only bit that is set, None for none or several."""
    return mask.bit_length() - 1 if mask and not mask & (mask - 1) else None


def _square(seen: Mapping[Place, float], mask: int, T: int, divide: bool) -> Rows:
    rows = [[seen.get((mask, i, j), 0.0) for j in range(T)] for i in range(T)]
    return tuple(tuple(v / (sum(row) or 1.0) if divide else v for v in row) for row in rows)


def _softmax(scores: Mapping[Place, float], mask: int, T: int, head_dim: int) -> Rows:
    """The weights that the text asks for, from the head's own products of q and k."""
    rows: list[Row] = []
    for i in range(T):
        if any((mask, i, j) not in scores for j in range(i + 1)):
            return ()
        row = [scores[mask, i, j] / sqrt(head_dim) for j in range(i + 1)]
        shares = [exp(max(-700.0, v - max(row))) for v in row]
        rows.append(tuple([s / sum(shares) for s in shares] + [0.0] * (T - i - 1)))
    return tuple(rows)
