"""The quick Value computes as the given one does: numbers, graph, gradients and errors, on every kind of graph."""

from __future__ import annotations

import gc
import math
import random
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.hand_ins import ROOT


def values() -> tuple[Any, Any]:
    """The given Value and the quick one, each alone in a module called engine."""
    found = []
    for path in ("exercise/engine.py", "grader/worker/quick.py"):
        module = ModuleType("engine")
        exec(
            compile((ROOT / path).read_text(encoding="utf-8"), "engine.py", "exec", dont_inherit=True), module.__dict__
        )
        found.append(module.__dict__["Value"])
    return found[0], found[1]


def close(one: Any, other: Any) -> bool:
    """Equal but for 1e-12 in every number."""
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(close(one[name], other[name]) for name in one)
    if isinstance(one, (list, tuple)):
        return len(one) == len(other) and all(map(close, one, other))
    return one == other or (isinstance(one, float) and math.isclose(one, other, rel_tol=1e-12, abs_tol=1e-12))


def test_attributes_may_be_added() -> None:
    """A hand-in may keep a name on a Value, and derive from it."""
    for Value in values():
        v = type("Named", (Value,), {})(2)
        v.label = "w"
        assert (v.label, v.data, v.grad, v._op, v._prev, type(v + 1)) == ("w", 2.0, 0.0, "", set(), Value)
        assert v == v and v != Value(2) and len({v, Value(2)}) == 2


@pytest.mark.parametrize("mistake", [lambda V: 1 - V(2), lambda V: 1 / V(2), lambda V: V(2) ** V(2),
    lambda V: math.sqrt(V(2)), lambda V: V(V(2)), lambda V: V(2) + "a", lambda V: V(2) * None, lambda V: V(2) - "a",
    lambda V: V(2) / 0, lambda V: V(0) ** -1, lambda V: V(-2) ** 0.5, lambda V: V(1e3).exp(), lambda V: V(2) < V(3),
    lambda V: max([V(2), V(3)]), lambda V: float(V(2)), lambda V: V(2)(), lambda V: V(2)[0], lambda V: V(1, 2),
    lambda V: V(2).sqrt(), lambda V: sum([V(1), "a"])])  # fmt: skip
def test_mistakes_raise_the_same(mistake: Callable[[Any], Any]) -> None:
    """The type and the text of every error that students meet."""
    errors = []
    for Value in values():
        with pytest.raises(Exception) as caught:  # noqa: PT011  # which one is the question
            mistake(Value)
        errors.append((caught.type, str(caught.value)))
    assert errors[0] == errors[1]


def made(Value: Any, kind: int, a: Any, b: Any, leaves: list[Any]) -> Any:
    """One more number out of two: every operation, and a node made by hand that passes no gradient on."""
    bounded = (a * a + 1) ** -0.5
    makes: tuple[Callable[[], Any], ...] = (
        lambda: a + b, lambda: a * bounded, lambda: a - b, lambda: b / (a * a + 1.0), lambda: -a, (a * bounded).exp,
        (a * a).log, a.relu, lambda: 2 * a + 1, lambda: 0.5 + b, lambda: sum(x * y for x, y in zip(leaves, leaves)),
        lambda: Value(a.data, (a, b), "detached"),
    )  # fmt: skip
    return makes[kind % len(makes)]()


def computed(Value: Any, seed: int, size: int) -> tuple[list[Any], list[Any]]:
    """Leaves, and numbers computed from them, many of them used more than once."""
    rng = random.Random(seed)
    leaves = [Value(rng.uniform(-1.5, 1.5)) for _ in range(4)]
    nodes = list(leaves)
    for _ in range(size):
        nodes.append(made(Value, rng.randrange(10_000), rng.choice(nodes), rng.choice(nodes), leaves))
    return leaves, nodes


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32), st.integers(1, 60))
def test_random_graphs_are_the_same(seed: int, size: int) -> None:
    """Numbers bit for bit, operations and children, gradients to 1e-12, also when going backward twice."""
    (leaves, nodes), (others, other_nodes) = (computed(Value, seed, size) for Value in values())
    assert [(v.data, v._op) for v in nodes] == [(v.data, v._op) for v in other_nodes]
    for one, other in zip(nodes, other_nodes):
        assert sorted((c.data, c._op) for c in one._prev) == sorted((c.data, c._op) for c in other._prev)
    for _ in range(2):
        nodes[-1].backward()
        other_nodes[-1].backward()
        assert close([v.grad for v in leaves], [v.grad for v in others])


@pytest.mark.parametrize("count", [1, 2, 3, 7])
def test_a_sum_of_products_unfolds_into_the_given_graph(count: int) -> None:
    """One node until somebody looks; then the products, the sums and the zero that sum() starts with."""
    _, Value = values()
    ws, xs = [Value(i + 0.1) for i in range(count)], [Value(0.7 - i) for i in range(count)]
    one, other = Value._dot(ws, xs), sum(w * x for w, x in zip(ws, xs))
    assert (one.data, one._op) == (other.data, other._op)
    for result in (one, other):
        result.backward()
    gradients = [v.grad for v in ws]
    stack = [(one, other)]
    while stack:
        left, right = (sorted(v._prev, key=lambda c: (c._op, c.data)) for v in stack.pop())
        assert [(v.data, v._op) for v in left] == [(v.data, v._op) for v in right]
        stack += zip(left, right)
    for v in ws:
        v.grad = 0.0
    one.backward()
    assert close([2 * v.grad for v in ws], gradients)


@pytest.mark.parametrize("pair", [([], []), ([1.0], "V"), ("V", [2]), ((1, 2), "V"), ("VV", "V"), ("V", "VV")])
def test_other_sums_of_products_are_plain_sums(pair: tuple[Any, Any]) -> None:
    """Floats, tuples, nothing, another length: what Python makes of the given line."""
    _, Value = values()
    ws, xs = ([Value(3) for _ in side] if isinstance(side, str) else side for side in pair)
    expected = sum(w * x for w, x in zip(ws, xs))
    found = Value._dot(ws, xs)
    assert type(found) is type(expected) and getattr(found, "data", found) == getattr(expected, "data", expected)


def test_deep_graphs_need_no_recursion() -> None:
    """A chain of 50,000 nodes goes backward and is freed again."""
    _, Value = values()
    leaf = Value(1.0)
    result = leaf
    for _ in range(50_000):
        result = result + 0.0
    result.backward()
    assert leaf.grad == 1.0


def test_nothing_waits_for_the_collector() -> None:
    """No reference cycles: what is no longer needed is freed at once."""
    _, Value = values()
    gc.collect()
    gc.disable()
    try:
        a = Value(2.0)
        ((a * a + 1.0).exp().log().relu() ** 2 / a - Value._dot([a], [a])).backward()
        del a
        assert gc.collect() == 0
    finally:
        gc.enable()
