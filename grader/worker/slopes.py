"""The hand-in's gradient of a weighted output, and how that output really changes along given directions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import sqrt
from typing import Any

from reading import flat, number, numbers, shaped

Forward = Callable[[Any], Any]
Backward = tuple[list[float], list[float], float]  # gradients of inputs and of parameters, the weighted output


def gradients(slope: dict[str, Any], x: Any, parameters: list[Any], Value: Any, forward: Forward) -> dict[str, Any]:
    """Gradients by the hand-in's ``backward()``; the weighted output a step to either side, by its ``forward``.

    With a step of 0 nothing is moved, and the four sides are the weighted output itself.
    """
    weights, step = flat(slope["weights"]), slope["step"]

    def value(x: Any) -> float:
        return _weighted(forward(shaped(x, Value)), weights)

    def inputs_moved(size: float) -> float:
        return value(_moved(x, _unit(flat(slope["inputs"]), len(flat(x))), size))

    def parameters_moved(size: float) -> float:
        kept = [p.data for p in parameters]
        try:
            for p, plain, u in zip(parameters, kept, _unit(slope["parameters"], len(parameters))):
                p.data = plain + size * u
            return value(x)
        finally:
            for p, plain in zip(parameters, kept):
                p.data = plain

    by_input, by_parameter, unmoved = _backward(forward, shaped(x, Value), parameters, weights)
    in_turn, sizes = iter(by_input), (step, -step, step / 2, -step / 2)
    return {
        "inputs": shaped(x, lambda _: next(in_turn)),
        "parameters": by_parameter,
        "along_inputs": [inputs_moved(size) if size else unmoved for size in sizes],
        "along_parameters": [parameters_moved(size) if size else unmoved for size in sizes],
    }


def _backward(forward: Forward, x: Any, parameters: list[Any], weights: list[float]) -> Backward:
    leaves = flat(x)  # taken now: a hand-in may write into the list it is given
    loss = _loss(flat(forward(x)), weights)
    for v in [*leaves, *parameters]:
        v.grad = 0.0
    loss.backward()
    by_input, by_parameter = (numbers([v.grad for v in of], "a gradient") for of in (leaves, parameters))
    return by_input, by_parameter, number(loss.data, "an output")


def _loss(outputs: list[Any], weights: list[float]) -> Any:
    terms = [v * w for v, w in zip(outputs, weights)]
    while len(terms) > 1:  # pairwise, so that the graph stays shallow
        terms = [a + b for a, b in zip(terms[::2], terms[1::2])] + terms[len(terms) // 2 * 2 :]
    return terms[0]


def _weighted(out: Any, weights: list[float]) -> float:
    return sum(w * number(v.data, "an output") for w, v in zip(weights, flat(out)))


def _unit(direction: Sequence[float], count: int) -> list[float]:
    cycle = [direction[i % len(direction)] for i in range(count)]
    length = sqrt(sum(u * u for u in cycle)) or 1.0
    return [u / length for u in cycle]


def _moved(x: Any, direction: list[float], size: float) -> Any:
    in_turn = iter(direction)
    return shaped(x, lambda v: v + size * next(in_turn))
