"""Words for what is not an answer: the call, the exception, the line of the hand-in; in one sentence."""

from __future__ import annotations

import pytest

from grader.messages import fault_message, todo_message
from grader.notices import notices
from grader.records import Answer, Fault, Observation, Submission, Transcript
from grader.rubric import RUBRIC
from tests.observing import HAND_IN, X, answer, answered, fault, probe, raised

ASKED = probe("MultiHeadAttention", 2, 1)
NORM = next(check for check in RUBRIC if check.id == "LayerNorm.shape")


def message(fault_: Fault, text: str = HAND_IN.text or "", outcome: str = "raised") -> str:
    """What a student reads."""
    return fault_message(ASKED, Observation(outcome, fault_), Submission("x.py", "", text))  # type: ignore[arg-type]


def test_an_unknown_exception_gets_no_advice() -> None:
    """A KeyError is told as it is, and the sentence ends there."""
    assert message(fault("KeyError", "'q'", line=1)).endswith("raised KeyError: 'q', at line 1: `first = 1`.")


def test_the_line_of_the_hand_in_is_shown() -> None:
    """The number and the text, without its indentation."""
    assert message(fault("KeyError", "1", line=3)).endswith("at line 3: `third = 3`.")


@pytest.mark.parametrize("line", [None, 0, -1, 4, 10**9])
def test_a_line_that_is_not_there_is_not_shown(line: int | None) -> None:
    """A forged or missing number shows no line and breaks nothing."""
    assert message(fault("KeyError", "1", line=line)).endswith("raised KeyError: 1.")


@pytest.mark.parametrize("mark", ["\x0c", "\u2028", "\x85", "\x1c"])
def test_lines_are_counted_as_python_counts_them(mark: str) -> None:
    """A form feed or a rare line separator in the text does not shift the line that is shown."""
    text = f"first = '{mark}'\nsecond = 2\nthird = 3\n"
    assert compile(text, "x", "exec").co_consts is not None
    assert "`third = 3`" in message(fault("KeyError", "1", line=3), text)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends_of_every_system_count(end: str) -> None:
    """Also where lines end as on other systems."""
    assert message(fault("KeyError", "1", line=2), f"first = 1{end}second = 2{end}").endswith("`second = 2`.")


def test_a_long_line_is_cut() -> None:
    """A line of a thousand characters does not fill the screen."""
    assert len(message(fault("KeyError", "1", line=1), "x = " + "1" * 1000)) < 250


def test_text_over_several_lines_becomes_one() -> None:
    """An exception's text with line breaks stays one sentence."""
    assert "raised ValueError: a b c." in message(fault("ValueError", "a\n  b\r\n\tc"))


def test_an_exception_without_text_is_its_name() -> None:
    """No colon without anything behind it."""
    assert message(fault("KeyError")).endswith("raised KeyError.")


def test_the_call_is_named() -> None:
    """What was built, and with what it was called."""
    assert message(fault("KeyError")).startswith("MultiHeadAttention(2, 1) called with 3 rows of 2 numbers raised")


def test_a_fault_at_construction_names_no_call() -> None:
    """Nothing was called yet."""
    said = fault_message(ASKED, raised("KeyError", stage="construct"), HAND_IN)
    assert said == "MultiHeadAttention(2, 1) raised KeyError."


@pytest.mark.parametrize(
    ("stage", "words"), [("parameters", "and asked for parameters() raised"), ("backward", "and backward() on the")]
)
def test_the_stage_is_named(stage: str, words: str) -> None:
    """Where it happened, when it was not in forward."""
    assert words in message(fault("KeyError", stage=stage))


def test_a_file_that_never_finished_loading_is_told_why() -> None:
    """Endless code at the top of the file."""
    said = message(Fault("load", "Timeout", "it was still running after 5 s", None, None), outcome="unloadable")
    assert said.startswith("The file never finished loading: it was still running after 5 s.") and "__main__" in said


def test_a_file_that_could_not_be_read_says_so_itself() -> None:
    """What reading found is the whole message."""
    unreadable = Fault("load", "Unreadable", "The file is empty.", None, None)
    assert message(unreadable, "", "unloadable") == "The file is empty."


@pytest.mark.parametrize(
    ("stage", "method"),
    [("construct", "__init__"), ("parameters", "parameters"), ("forward", "forward"), ("backward", "backward")],
)
def test_todo_names_the_method(stage: str, method: str) -> None:
    """What to write next, and what it must do."""
    said = todo_message(NORM, Observation("todo", fault("NotImplementedError", "", stage, line=42)), HAND_IN)
    assert said == (
        f"Not written yet (line 42): LayerNorm.{method} raises NotImplementedError. "
        f"Next: write it so that {NORM.claim}."
    )


def test_a_class_that_is_not_there_is_told_so() -> None:
    """A file without the class is sent back to the stub."""
    seen = Observation("todo", fault("NotImplementedError", "there is no class LayerNorm in transformer_block.py"))
    assert "there is no class LayerNorm" in todo_message(NORM, seen, HAND_IN) and "from the stub" in todo_message(
        NORM, seen, HAND_IN
    )


def told(*answers: Answer, printed: int = 0) -> list[tuple[str | None, str]]:
    """The notices on these answers."""
    found = notices(HAND_IN, Transcript({ASKED: answered(*answers)}, printed))
    return [(notice.component, notice.text) for notice in found]


def test_nothing_odd_gets_no_notice() -> None:
    """Lists, and no output."""
    assert told(answer(X)) == []


def test_printing_gets_a_notice() -> None:
    """How much was printed, and that it was dropped; of no component."""
    assert told(answer(X), printed=1234567) == [
        (None, "The code printed 1,234,567 bytes while it was graded; they were dropped.")
    ]


def test_tuples_get_one_notice() -> None:
    """Once for the component, however often they came, and that it costs nothing."""
    found = told(answer(X, tuples=True), answer(X, tuples=True), answer(X))
    assert [component for component, _ in found] == ["MultiHeadAttention"] and "accepted" in found[0][1]
