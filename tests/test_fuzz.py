"""Files and replies that nobody meant: whatever arrives ends in a report, and none of it in points or a crash."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.checks.operations import result
from grader.checks.replay import keeps_record
from grader.checks.values import normalises
from grader.forms import BadForm, from_form, loads
from grader.records import COMPONENTS, Component, Observation
from grader.replies import observation_in
from grader.sandbox import Limits, given_code, observe
from grader.submission import from_bytes
from tests import fuzzing
from tests.fuzz_material import code, mangled
from tests.hand_ins import ROOT
from tests.observing import graph, judged, probe

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda below: st.lists(below, max_size=4) | st.dictionaries(st.text(max_size=8), below, max_size=4),
)
NUMBERS = st.integers(0, 2**32)
SHORT = Limits(load=1.0, probe=0.5, total=4.0)
steady = partial(settings, derandomize=True, deadline=None, database=None)


def said(name: str, data: bytes) -> None:
    """What the intake makes of a file is text, or words."""
    read = from_bytes(name, data)
    assert (read.text is None) != (read.trouble is None)


@steady(max_examples=300)
@given(st.binary(max_size=300), st.sampled_from(["transformer_block.py", "mine.ipynb"]))
def test_any_bytes_are_read_or_refused_in_words(data: bytes, name: str) -> None:
    """Noise is no reason to stop."""
    said(name, data)


@steady(max_examples=200)
@given(st.lists(st.fixed_dictionaries({"cell_type": st.just("code") | JSON, "source": JSON}) | JSON, max_size=4))
def test_any_notebook_is_read_or_refused_in_words(cells: list[object]) -> None:
    """JSON of every kind may stand where cells and sources are expected."""
    said("mine.ipynb", fuzzing.dumped({"cells": cells}))


@steady(max_examples=300)
@given(JSON | st.text() | st.binary())
def test_any_line_is_a_record_or_badly_formed(line: object) -> None:
    """The parser raises nothing but BadForm, whatever a worker writes."""
    text = line if isinstance(line, (bytes, str)) else fuzzing.dumped(line)
    with pytest.raises(BadForm):
        from_form(Observation, loads(text))


@pytest.mark.parametrize("kind", fuzzing.KINDS)
def test_cases_of_the_long_run_hold(kind: str) -> None:
    """The first few hundred of the 100,000 that `make fuzz` tries, of each kind."""
    found = [broke for number in range(200) if (broke := fuzzing.run(kind, number))]
    assert not found, found[0]


@pytest.mark.parametrize("component", COMPONENTS)
def test_a_component_without_usable_answers_has_no_points(component: Component) -> None:
    """Where every reply of one component was destroyed, its lines are all there and all lost, the others untouched."""
    report = fuzzing.judged(0, lambda asked, text: text[:-1] if asked.component == component else text)
    fuzzing.check_report(report)
    assert [r.component for r in report.results if not r.points] == [r.component for r in report.of(component)]


@pytest.mark.parametrize("number", [9069, 16759, 18909])
def test_huge_answers_are_judged(number: int) -> None:
    """Cases of the long run in which a layer norm's numbers near 1e308 once raised OverflowError in the grader."""
    assert fuzzing.run("judging", number) is None


@pytest.mark.parametrize("size", [1e200, 1.7e308])
def test_huge_rows_are_not_normalised(size: float) -> None:
    """A mean that overflows is not the mean 0 that is expected."""
    assert judged(normalises, probe("LayerNorm", 2, calls=[(1.0, -1.0)]), (size, size)) is not None


@pytest.mark.parametrize("op", ["**nan", "**inf", "**-inf", "**1e999"])
def test_powers_that_are_no_numbers_are_no_operation(op: str) -> None:
    """NaN would agree with whatever a Value claims to be the result."""
    assert result(op, [1.0]) is None


def test_a_replay_that_ends_in_nan_is_no_agreement() -> None:
    """A node that overflows a little further on, times zero, hides what the output would be there."""
    steep = {"x": ("",), "e": ("exp", "x"), "zero": ("",), "y": ("*", "e", "zero")}
    asked = probe("FeedForward", 1, calls=[(0.0,), (1000.0,)], graph=True)
    recorded = replace(graph(steep, inputs="x", parameters="zero", outputs="y"), data=(0.0, 1.0, 0.0, 0.0))
    assert judged(keeps_record, asked, (0.0,), (5.0,), graph=recorded) is not None


@pytest.mark.parametrize("number", range(3))
def test_real_replies_fit_their_questions(number: int) -> None:
    """What real hand-ins answer passes unchanged."""
    for asked, text in fuzzing.real(number, fuzzing.planned()).items():
        assert observation_in(loads(text), asked).outcome in ("answered", "raised")


@steady(max_examples=25)
@given(NUMBERS)
def test_any_python_gets_a_report(number: int) -> None:
    """Hand-ins with mangled lines, through the real worker: no crash, no hang, every line of the rubric."""
    rng = random.Random(number)
    source = fuzzing.hand_in(rng.randrange(11)).text or ""
    graded(mangled(rng, source))


@steady(max_examples=15)
@given(NUMBERS)
def test_any_lines_of_code_get_a_report(number: int) -> None:
    """The same for files that were never a hand-in; they earn nothing."""
    assert graded(code(random.Random(number))) == 0


def graded(text: str) -> int:
    """The score of a file with this text, under short deadlines, once its report is seen to be whole."""
    asking = partial(observe, given=given_code(ROOT / "exercise"), limits=SHORT)
    report = fuzzing.grader().grade(from_bytes("mine.py", text.encode("utf-8", "replace")), observe=asking)
    fuzzing.check_report(report)
    return report.score
