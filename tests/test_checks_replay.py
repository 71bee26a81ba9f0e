"""The recorded computation is held against the outputs and the gradient: on hand-made graphs."""

from __future__ import annotations

from dataclasses import replace

import pytest

from grader.checks.evidence import Evidence
from grader.checks.operations import adjoints, is_true, result
from grader.checks.replay import keeps_record
from grader.records import Answer, Call, Gradients, Graph, Observation, Probe, Setting, Slope

# out = (x0 * x1 + p) ** 2 at x = (2, 3), p = 1: 49; moved to x = (2.5, 3): 72.25.
GRAPH = Graph(
    ops=("", "", "", "*", "+", "**2"),
    data=(2.0, 3.0, 1.0, 6.0, 7.0, 49.0),
    children=((), (), (), (0, 1), (3, 2), (4,)),
    inputs=(0, 1),
    parameters=(2,),
    outputs=(5,),
    unlisted=0,
)
PROBE = Probe(
    "FeedForward",
    (2,),
    (Call((2.0, 3.0)), Call((2.5, 3.0))),
    setting=Setting("set", (1.0,)),
    slope=Slope((1.0,), (1.0, 1.0), (1.0,)),
    graph=True,
)
SIDES = (0.0, 0.0, 0.0, 0.0)
RIGHT = Gradients((42.0, 28.0), (14.0,), SIDES, SIDES)


def seen(graph: Graph = GRAPH, moved: float = 72.25, gradients: Gradients = RIGHT) -> Evidence:
    """Evidence with one observation of PROBE."""
    answers = tuple(Answer((v,), "a list of 1 Value", False, True) for v in (49.0, moved))
    return Evidence({PROBE: Observation("answered", None, None, answers, gradients, graph)}, {}, {})


def test_an_honest_record_passes() -> None:
    """True nodes, the moved output and the gradient agree."""
    assert keeps_record(seen(), (PROBE,)) is None


def test_a_linear_model_of_the_output_is_noticed() -> None:
    """Right here and wrong a little further on."""
    ruling = keeps_record(seen(moved=70.0), (PROBE,))
    assert ruling is not None and "72.25" in ruling and "70" in ruling


def test_a_node_that_is_not_its_operation_is_noticed() -> None:
    """The data of a node was replaced."""
    ruling = keeps_record(seen(replace(GRAPH, data=(2.0, 3.0, 1.0, 6.0, 8.0, 64.0))), (PROBE,))
    assert ruling is not None and "'+' of 6, 1 and has 8 as its data" in ruling


def test_a_gradient_that_is_not_the_records_is_noticed() -> None:
    """Claimed zeros do not pass because forged slopes are zero too."""
    ruling = keeps_record(seen(gradients=replace(RIGHT, inputs=(0.0, 0.0))), (PROBE,))
    assert ruling is not None and "input number 0" in ruling


def test_one_honest_point_is_enough() -> None:
    """A branch may lie between the two inputs at one point."""
    other = replace(PROBE, seed=1)
    evidence = seen(moved=70.0)
    honest = seen().observed[PROBE]
    assert keeps_record(replace(evidence, observed={**evidence.observed, other: honest}), (PROBE, other)) is None


ODD = {
    "a name that the given Value does not have": ((*GRAPH.ops[:-1], "lookup"), GRAPH.children),
    "no name": ((*GRAPH.ops[:-1], ""), GRAPH.children),
    "a sum of three": (GRAPH.ops, (*GRAPH.children[:4], (3, 2, 1), (4,))),
    "a power that is no number": ((*GRAPH.ops[:-1], "**nan"), GRAPH.children),
}


@pytest.mark.parametrize("odd", ODD)
def test_operations_of_its_own_need_an_exact_gradient(odd: str) -> None:
    """A node that is not the given operation of its name says nothing; whether the gradient is exact is asked."""
    ops, children = ODD[odd]
    evidence = seen(replace(GRAPH, ops=ops, children=children))
    assert "right to a few digits only" in (keeps_record(evidence, (PROBE,)) or "")
    assert keeps_record(replace(evidence, exact=frozenset({"FeedForward"})), (PROBE,)) is None


def test_a_name_on_a_leaf_is_no_operation() -> None:
    """`Value(0.5, (), "w")` is a number with a name."""
    assert is_true(replace(GRAPH, ops=("x", "x", "w", "*", "+", "**2")))


@pytest.mark.parametrize(
    ("op", "below", "expected"),
    [("+", [2.0], 4.0), ("*", [3.0], 9.0), ("**-0.5", [4.0], 0.5), ("relu", [-1.0], 0.0), ("log", [0.0], None)],
)
def test_operations_are_those_of_the_given_value(op: str, below: list[float], expected: float | None) -> None:
    """One child of a sum or product stands on both sides; log is clipped as the given one is."""
    value = result(op, below)
    assert value == expected if expected is not None else value == pytest.approx(-23.02585093)


def test_adjoints_are_the_gradient() -> None:
    """d((x0 x1 + p)^2) = 2 * 7 * (x1, x0, 1)."""
    found = adjoints(GRAPH, (1.0,))
    assert found is not None and [found[n] for n in (0, 1, 2)] == [42.0, 28.0, 14.0]


def test_a_root_of_the_engine_is_known() -> None:
    """A power's exponent is part of its name."""
    root = replace(GRAPH, ops=(*GRAPH.ops[:-1], "**-0.3333333333333333"), data=(*GRAPH.data[:-1], 7.0 ** (-1 / 3)))
    assert is_true(root)
