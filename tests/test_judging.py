"""Ruling on a whole rubric: which status a line gets, what it says, what it is worth."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from grader.checks.check import Check
from grader.checks.evidence import Evidence, Ruling
from grader.judging import judge
from grader.records import GARBLED, Fault, Observation, Probe, Result
from tests.observing import HAND_IN, answer, answered, evidence, probe, raised

ONE, TWO = (probe("LayerNorm", D, calls=((1.0, 2.0),)) for D in (2, 3))
RIGHT = answered((0.5, 1.0), seconds=0.25)
TODO = Observation("todo", Fault("forward", "NotImplementedError", "TODO", 9, 0))
UNLOADABLE = Observation("unloadable", Fault("load", "SyntaxError", "invalid syntax", 2, None))
HUNG = Observation("timeout", Fault("forward", "Timeout", "it was still running after 4 s", None, None))
DEAD = Observation("died", Fault("forward", "Died", "the process ended itself with exit status 0", None, None))
FULL = Observation("memory", Fault("forward", "MemoryError", "", 1, 0))
FORGED = Observation("died", Fault("forward", GARBLED, "its answers were not in the worker's form", None, None))
NOT_ASKED = Observation("blocked")
CRASHED = raised("IndexError", "list index out of range", line=2)
OTHERWISE = raised("NotAsAsked", "parameters() returned a dict, not a list of Values", stage="parameters")


def passes(_: Evidence, __: Sequence[Probe]) -> Ruling:
    """A judge that is content."""
    return None


def fails(_: Evidence, __: Sequence[Probe]) -> Ruling:
    """A judge that never is."""
    return "it is 1; expected 2."


def line(name: str, judge_of: object = passes, after: tuple[str, ...] = (), expects_fault: bool = False) -> Check:
    """A line of three points about LayerNorm."""
    return Check(
        name, "values", 3, after, lambda _: (), judge_of, f"claim of {name}", f"hint of {name}",  # type: ignore[arg-type]
        component="LayerNorm", expects_fault=expects_fault,
    )  # fmt: skip


def results(*lines: tuple[Check, Observation]) -> list[Result]:
    """The results of these lines; each asks one question of its own and gets this observation."""
    asked = [probe("LayerNorm", k + 1, calls=((1.0, 2.0),)) for k in range(len(lines))]
    plan = {check: (p,) for (check, _), p in zip(lines, asked)}
    seen = {p: observation for (_, observation), p in zip(lines, asked)}
    return list(judge(plan, evidence(seen), HAND_IN))


def test_a_claim_that_holds_earns_its_points() -> None:
    """All points, no message, no hint."""
    (result,) = results((line("shape"), RIGHT))
    assert (result.id, result.status, result.points, result.max_points) == ("LayerNorm.shape", "passed", 3, 3)
    assert (result.message, result.hint, result.claim) == ("", "", "claim of shape")


def test_a_claim_that_does_not_hold_earns_nothing() -> None:
    """The judge's own words, and the hint of the rubric."""
    (result,) = results((line("shape", fails), RIGHT))
    assert (result.status, result.points, result.max_points) == ("failed", 0, 3)
    assert (result.message, result.hint) == ("it is 1; expected 2.", "hint of shape")


@pytest.mark.parametrize(
    ("seen", "status", "words"),
    [
        (TODO, "todo", "Not written yet (line 9): LayerNorm.forward raises NotImplementedError"),
        (UNLOADABLE, "unloadable", "The file cannot be loaded: SyntaxError: invalid syntax, at line 2: `second = 2`."),
        (CRASHED, "raised", "raised IndexError: list index out of range, at line 2: `second = 2`."),
        (HUNG, "timeout", "did not end: it was still running after 4 s"),
        (DEAD, "died", "ended the grader's process: the process ended itself with exit status 0"),
        (FULL, "memory", "raised MemoryError"),
        (NOT_ASKED, "blocked", "Not asked: LayerNorm had already hung or ended the process."),
        (OTHERWISE, "failed", "parameters() returned a dict, not a list of Values; expected what the stub's"),
    ],
)
def test_an_answer_that_is_missing_is_never_a_pass(seen: Observation, status: str, words: str) -> None:
    """Each way to die has its status and its words, and the judge is not even asked."""
    (result,) = results((line("shape"), seen))
    assert (result.status, result.points) == (status, 0) and words in result.message


def test_one_missing_answer_among_several_counts() -> None:
    """The second question was not answered: the line does not pass on the first alone."""
    plan = {line("shape"): (ONE, TWO)}
    (result,) = judge(plan, evidence({ONE: RIGHT, TWO: HUNG}), HAND_IN)
    assert result.status == "timeout" and "LayerNorm(3)" in result.message


def test_seconds_are_those_of_its_questions() -> None:
    """Both answers took a quarter of a second."""
    (result,) = judge({line("shape"): (ONE, TWO)}, evidence({ONE: RIGHT, TWO: RIGHT}), HAND_IN)
    assert result.seconds == 0.5


def test_a_fault_that_is_asked_for_goes_to_the_judge() -> None:
    """Where an exception is the right answer, the judge rules on it."""
    assert [r.status for r in results((line("divisible", expects_fault=True), CRASHED))] == ["passed"]
    assert [r.status for r in results((line("divisible", fails, expects_fault=True), CRASHED))] == ["failed"]


@pytest.mark.parametrize("seen", [TODO, HUNG, DEAD, UNLOADABLE, FULL])
def test_only_an_exception_is_asked_for(seen: Observation) -> None:
    """Hanging or dying is no refusal."""
    (result,) = results((line("divisible", expects_fault=True), seen))
    assert result.status == seen.outcome


def test_an_answer_without_numbers_fails_before_the_judge() -> None:
    """NaN in an answer is told as such, in every line that asked for numbers."""
    (result,) = results((line("values"), answered(answer(None, "a list of 2 Values, but output[0] is nan"))))
    assert result.status == "failed" and "output[0] is nan" in result.message


def test_what_waits_for_a_failed_line_is_blocked() -> None:
    """One mistake, one message: the second line says what it waits for, and nothing of its own."""
    first, second = results((line("shape", fails), RIGHT), (line("eps", fails, ("shape",)), RIGHT))
    assert (first.status, second.status, second.points) == ("failed", "blocked", 0)
    assert second.message == "Waits for LayerNorm.shape, which did not pass."


def test_what_waits_for_a_passed_line_is_judged() -> None:
    """A passed line holds nobody up."""
    assert [r.status for r in results((line("shape"), RIGHT), (line("eps", fails, ("shape",)), RIGHT))][1] == "failed"


def test_a_blocked_line_names_the_root_cause() -> None:
    """Through two lines that wait, to the one that did not pass, whatever stands between."""
    lines = (
        (line("shape", fails), RIGHT),
        (line("values.open", passes, ("shape",)), RIGHT),
        (line("affine", passes, ("values.open",)), RIGHT),
        (line("gradient", passes, ("affine",)), RIGHT),
    )
    assert results(*lines)[3].message == "Waits for LayerNorm.shape, which did not pass."


def test_a_line_that_was_not_asked_is_a_root_cause() -> None:
    """When the component had hung, the chain ends at the line that was not asked."""
    first = line("shape"), NOT_ASKED
    lines = first, (line("eps", passes, ("shape",)), RIGHT), (line("affine", passes, ("eps",)), RIGHT)
    assert [r.message for r in results(*lines)[1:]] == ["Waits for LayerNorm.shape, which did not pass."] * 2


def test_the_first_of_several_prerequisites_is_named() -> None:
    """In the order of the rubric's line."""
    lines = (line("a", fails), RIGHT), (line("b", fails), RIGHT), (line("c", passes, ("b", "a")), RIGHT)
    assert results(*lines)[2].message.startswith("Waits for LayerNorm.b,")


def test_todo_comes_before_blocked() -> None:
    """A stub says `todo` on every line, not that the rest waits for the first."""
    lines = (line("shape"), TODO), (line("eps", passes, ("shape",)), TODO)
    assert [r.status for r in results(*lines)] == ["todo", "todo"]


def test_unloadable_comes_before_blocked() -> None:
    """A file that cannot be loaded says so on every line."""
    lines = (line("shape"), UNLOADABLE), (line("eps", passes, ("shape",)), UNLOADABLE)
    assert [r.status for r in results(*lines)] == ["unloadable", "unloadable"]


@pytest.mark.parametrize("seen", [CRASHED, HUNG, DEAD, FULL, OTHERWISE, NOT_ASKED])
def test_blocked_comes_before_other_faults(seen: Observation) -> None:
    """What waits is not told a second time."""
    first, second = results((line("shape"), CRASHED), (line("eps", passes, ("shape",)), seen))
    assert (first.status, second.status) == ("raised", "blocked") and second.message.startswith("Waits for ")


def test_a_prerequisite_that_is_not_graded_holds_nobody_up() -> None:
    """When only some lines are graded, a line is judged although what it waits for is not there."""
    assert [r.status for r in results((line("eps", passes, ("shape",)), RIGHT))] == ["passed"]


def test_one_garbled_answer_takes_all_of_its_component() -> None:
    """The worker keeps to its form, so who answered otherwise is not the worker: nothing else that it said counts."""
    first, second = results((line("shape"), RIGHT), (line("values"), FORGED))
    assert [(r.status, r.points) for r in (first, second)] == [("died", 0), ("died", 0)]
    assert "the file interfered with the worker" in first.message and "Remove" in second.message


def test_a_hand_in_cannot_call_its_own_exception_garbled() -> None:
    """An exception of that name is the hand-in's: only the line that met it is lost."""
    first, second = results((line("shape"), RIGHT), (line("values"), raised(GARBLED, "mine")))
    assert (first.status, second.status) == ("passed", "raised")
