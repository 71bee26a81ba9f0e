"""A recorded computation done again with other parameters."""

from __future__ import annotations

import math
from collections.abc import Sequence

from grader.checks.operations import result
from grader.records import Graph


class Replay:
    """A recorded computation, to be done again with other parameters."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._steps = {count: _steps(graph, graph.outputs[:count]) for count in (1, len(graph.outputs))}

    def outputs(self, parameters: Sequence[float], first: bool = False) -> list[float]:
        """The outputs, or only the first; infinite where an operation cannot be done."""
        data = list(self._graph.data)
        for node, value in zip(self._graph.parameters, parameters):
            data[node] = value
        wanted = self._graph.outputs[:1] if first else self._graph.outputs
        for node, op, below in self._steps[len(wanted)]:
            if op == "+":
                data[node] = data[below[0]] + data[below[-1]]
            elif op == "*":
                data[node] = data[below[0]] * data[below[-1]]
            else:
                number = result(op, [data[c] for c in below])
                data[node] = math.inf if number is None else number
        return [data[node] for node in wanted]


def _steps(graph: Graph, outputs: Sequence[int]) -> list[tuple[int, str, tuple[int, ...]]]:
    """What these outputs are computed from, children before parents."""
    live = set(outputs)
    for node in range(len(graph.ops) - 1, -1, -1):
        if node in live:
            live.update(graph.children[node])
    return [(node, graph.ops[node], graph.children[node]) for node in sorted(live) if graph.children[node]]
