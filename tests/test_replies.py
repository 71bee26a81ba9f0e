"""Replies of the right form that answer another question, or whose parts do not fit together, are no answers."""

from __future__ import annotations

import json
from typing import Any

import pytest

from grader.forms import BadForm, from_form, to_form
from grader.records import Gradients, Observation, Parts, Slope, StandIns
from grader.replies import observation_in, text_of
from tests.observing import answer, answered, census, fault, graph, probe, raised

GRAPH = graph({"x": ("",), "w": ("",), "y": ("*", "x", "w")}, inputs="x", parameters="w", outputs="y")
SIDES = (1.0, 1.0, 1.0, 1.0)
GRADIENTS = Gradients((0.5,), (0.25,), SIDES, SIDES)
SLOPE = Slope((1.0,), (1.0,), (1.0,))
ASKED = probe("FeedForward", 1, calls=[(1.0,)], slope=SLOPE, graph=True)
RIGHT = answered((2.0,), census=census(1), gradients=GRADIENTS, graph=GRAPH)
BLOCK = probe("TransformerBlock", 2, 1, calls=[((1.0, 2.0),)], stand_ins=StandIns((1, 1), (1, 1), ((1, 1), (1, 1))))
BUILT = answered(((1.0, 2.0),), census=census(2), parts=Parts(1, 2, 1, (1, 1)))


def refused(asked: Any, seen: Observation, **changes: Any) -> bool:
    """Whether a reply with these fields changed is refused; a dotted name leads into a record."""
    form = json.loads(json.dumps(to_form(seen)))
    for name, value in changes.items():
        *way, last = name.split("__")
        place = form
        for key in way:
            place = place[key]
        place[last] = json.loads(json.dumps(to_form(value)))
    try:
        observation_in(form, asked)
    except BadForm:
        return True
    return False


@pytest.mark.parametrize(("asked", "seen"), [(ASKED, RIGHT), (BLOCK, BUILT), (ASKED, raised("TypeError"))])
def test_a_fitting_reply_is_taken(asked: Any, seen: Observation) -> None:
    """What was asked, whole or up to a fault."""
    assert not refused(asked, seen)


@pytest.mark.parametrize(
    "changes",
    [
        {"answers": []},
        {"answers": [answer((2.0,)), answer((2.0,))]},
        {"answers": [answer(((2.0,),))]},
        {"answers": [answer(())]},
        {"outcome": "timeout"},
        {"outcome": "raised"},
        {"fault": fault("TypeError")},
        {"census": None},
        {"census__before": 2},
        {"census__unique": -1},
        {"census__initial": []},
        {"gradients": None},
        {"gradients__inputs": [0.5, 0.5]},
        {"gradients__parameters": []},
        {"graph": None},
        {"parts": Parts(1, 2, 1, (1, 1))},
        {"composed": [[[1.0]], [[1.0]]]},
        {"seconds": -1.0},
        {"seconds": 1.7e308},
    ],
    ids=str,
)
def test_a_reply_to_another_question_is_refused(changes: dict[str, Any]) -> None:
    """Counts of answers, gradients and parameters are those that follow from the question."""
    assert refused(ASKED, RIGHT, **changes)


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("ops", ["", ""]),
        ("data", [0.0] * 4),
        ("children", [[], [], [0, 2]]),
        ("children", [[], [], [0, 3]]),
        ("children", [[], [], [-1]]),
        ("children", [[1], [], [0, 1]]),
        ("inputs", [3]),
        ("inputs", [-1]),
        ("inputs", [0, 1]),
        ("parameters", []),
        ("parameters", [10**30]),
        ("outputs", []),
        ("outputs", [2, 2]),
    ],
)
def test_a_graph_whose_columns_do_not_fit_is_refused(column: str, value: list[Any]) -> None:
    """Children stand before their parents, and every node that is named is there."""
    assert refused(ASKED, RIGHT, **{f"graph__{column}": value})


@pytest.mark.parametrize("call", [-1, 1])
def test_a_fault_in_a_call_that_was_not_asked_is_refused(call: int) -> None:
    """The report names the call, so it must be one of the question's."""
    assert refused(ASKED, raised("TypeError"), fault__call=call)


def test_norms_are_as_many_as_their_calls() -> None:
    """Each stand-in that was built has its count of calls."""
    assert refused(BLOCK, BUILT, parts__norm_calls=[1])


def said(seen: Observation) -> str:
    """A reply's line as the worker writes it."""
    return json.dumps({**to_form(seen), "printed": 7}) + "\n"


@pytest.mark.parametrize("seen", [RIGHT, BUILT, raised("TypeError")])
def test_a_usual_line_is_kept_as_it_came(seen: Observation) -> None:
    """Its text without the count of what was printed is the observation."""
    text = text_of(said(seen).encode(), seen)
    assert text is not None and from_form(Observation, json.loads(text)) == seen


NESTED = "[" * 900 + "]" * 900


@pytest.mark.parametrize(
    "changed",
    [
        said(RIGHT).replace('"parts"', f'"parts": {NESTED}, "parts"', 1),
        said(RIGHT).replace('"parts"', f'"parts" : {NESTED}, "parts"', 1),
        said(RIGHT).replace(', "printed": 7', "").replace("{", '{"printed": 7, ', 1),
        said(RIGHT).replace('"printed": 7', '"printed": 7, "printed": 7'),
        said(RIGHT).replace("what it said", "what: it said"),
        said(RIGHT).replace("what it said", "what it sa\u00efd"),
        said(RIGHT).replace("\n", " \n"),
    ],
)
def test_an_unusual_line_is_written_anew(changed: str) -> None:
    """What is there twice may nest deeper than can be read back from within a larger text."""
    assert text_of(changed.encode(), RIGHT) is None
