"""Records as plain forms: what goes out comes back equal, and nothing of another shape gets in."""

from __future__ import annotations

import json
from typing import Any

import pytest

from grader.forms import BadForm, from_form, loads, to_form
from grader.records import Answer, Call, Fault, Gradients, Observation, Probe, Setting, Slope, StandIns
from tests.observing import answered, census, graph

SLOPE = Slope(((1.0,),), ((0.5,),), (0.25, -0.25))
PARTS = StandIns((0.6, 0.3), (0.5, -0.7), ((0.8, 0.3), (-0.6, 0.5)))
GRAPH = graph({"x": ("",), "w": ("",), "y": ("*", "x", "w")}, inputs="x", parameters="w", outputs="y")
GRADIENTS = Gradients(((0.5,),), (0.25,), (1.0, 2.0, 1.5, 1.75), (3.0, 4.0, 3.5, 3.75))
FULL = answered(((1.0, 2.0),), census=census(2), gradients=GRADIENTS, graph=GRAPH, seconds=0.5)
RECORDS = [
    FULL,
    Observation("raised", Fault("forward", "TypeError", "no", 3, None)),
    Probe("LayerNorm", (5.0, 0.1), (Call((1.0, 2.0), True, True),), (("eps", 1.0),), Setting("set", (0.4,)), seed=7),
    Probe("TransformerBlock", (4.0, 2.0), (Call(((1.0,),)),), slope=SLOPE, stand_ins=PARTS, graph=True),
]


def form_of(record: Any) -> Any:
    """The form as it arrives: through JSON text."""
    return loads(json.dumps(to_form(record)))


@pytest.mark.parametrize("record", [FULL, RECORDS[1], Answer((1.0,), "a list", tuples=False, untouched=True), PARTS])
def test_a_record_comes_back_equal(record: Any) -> None:
    """Through JSON and back nothing is lost."""
    assert from_form(type(record), form_of(record)) == record


@pytest.mark.parametrize("record", RECORDS)
def test_keys_are_the_field_names_in_order(record: Any) -> None:
    """The form's keys are the record's fields, as declared."""
    assert list(form_of(record)) == list(type(record).__dataclass_fields__)


@pytest.mark.parametrize("key", list(Observation.__dataclass_fields__))
def test_a_missing_key_is_refused(key: str) -> None:
    """Fields with defaults are no exception: a reply has all keys."""
    form = form_of(FULL)
    del form[key]
    with pytest.raises(BadForm):
        from_form(Observation, form)


def test_an_extra_key_is_refused() -> None:
    """A reply cannot smuggle in what no record has."""
    with pytest.raises(BadForm):
        from_form(Observation, {**form_of(FULL), "score": 100})


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("outcome", "passed"),
        ("outcome", ["answered"]),
        ("outcome", None),
        ("answers", None),
        ("answers", {}),
        ("answers", [[]]),
        ("census", 3),
        ("fault", "TypeError"),
        ("seconds", "0.5"),
        ("seconds", True),
        ("seconds", None),
        ("seconds", 10**400),
        ("gradients", []),
    ],
)
def test_another_type_is_refused(key: str, value: Any) -> None:
    """Each field takes its own type only: no truth value for a number, no list for a record."""
    with pytest.raises(BadForm):
        from_form(Observation, {**form_of(FULL), key: value})


@pytest.mark.parametrize("number", [float("nan"), float("inf"), -float("inf")])
def test_numbers_that_are_not_finite_are_refused(number: float) -> None:
    """Whatever way NaN and infinity get past JSON, they do not get into a record."""
    with pytest.raises(BadForm):
        from_form(Observation, {**form_of(FULL), "seconds": number})


def test_a_tuple_of_another_length_is_refused() -> None:
    """A step and half a step to either side are four numbers, not three."""
    with pytest.raises(BadForm):
        from_form(Gradients, {**form_of(GRADIENTS), "along_inputs": [1.0, 2.0, 3.0]})


@pytest.mark.parametrize("count", [2.0, True, "2"])
def test_a_count_is_an_integer(count: Any) -> None:
    """An int field takes no float and no truth value, which Python counts among the integers."""
    with pytest.raises(BadForm):
        from_form(Observation, {**form_of(FULL), "census": {**form_of(census(2)), "before": count}})


def test_a_whole_number_is_a_float_where_one_is_due() -> None:
    """JSON writers may print 1.0 as 1."""
    read = from_form(Observation, {**form_of(FULL), "seconds": 1})
    assert read.seconds == 1.0 and type(read.seconds) is float


def test_rows_that_mix_numbers_and_lists_are_refused() -> None:
    """An answer is one row or rows, never both."""
    with pytest.raises(BadForm):
        from_form(Answer, {"numbers": [1.0, [2.0]], "said": "", "tuples": False, "untouched": True})


def test_text_that_no_file_can_hold_is_refused() -> None:
    """A lone surrogate would break the writing of the report, long after the worker is gone."""
    with pytest.raises(BadForm):
        from_form(Fault, {**form_of(Fault("load", "E", "", None, None)), "text": "\ud800"})


def test_the_refusal_says_where() -> None:
    """The text of BadForm names the field, for whoever looks for a fault in the worker."""
    with pytest.raises(BadForm, match=r"Observation\.census\b"):
        from_form(Observation, {**form_of(FULL), "census": 3})


@pytest.mark.parametrize("text", ["NaN", "[Infinity]", '{"a": -Infinity}', "{", "", "\x00", b"\xff", "[" * 200_000])
def test_text_that_is_not_plain_json_is_refused(text: str | bytes) -> None:
    """Broken, deep or undecodable text and the numbers that JSON does not have end in BadForm, in nothing else."""
    with pytest.raises(BadForm):
        loads(text)


def test_an_integer_too_long_to_read_is_refused() -> None:
    """Thousands of digits cost no time and end in BadForm, here or when the record is read."""
    with pytest.raises(BadForm):
        from_form(Observation, {**form_of(FULL), "seconds": loads("9" * 5000)})
