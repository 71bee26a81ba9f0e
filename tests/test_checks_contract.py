"""The contract: construction refused where it must be, and calls that leave no trace."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.checks.contract import leaves_no_trace, refuses, starts_different
from grader.grading import Grader
from grader.kit import Kit
from grader.records import COMPONENTS, Call, Observation, Submission
from grader.rubric import RUBRIC
from tests.observing import X, answer, answered, census, judged, probe, raised, ruling

INDIVISIBLE = probe("MultiHeadAttention", 5, 2, calls=())
AGAIN = probe("LayerNorm", 2, calls=((1.0, 2.0), (3.0, 5.0), (1.0, 2.0)))
FRESH = probe("FeedForward", 2, calls=((1.0, 2.0),))


@pytest.mark.parametrize("kind", ["AssertionError", "Refused(AssertionError)"])
def test_assertion_error_at_construction_is_a_refusal(kind: str) -> None:
    """What `assert` raises passes."""
    assert ruling(refuses, (INDIVISIBLE, raised(kind, stage="construct"))) is None


def test_sizes_that_are_accepted_are_named() -> None:
    """Nothing was raised: which sizes, why they must be refused, how."""
    said = ruling(refuses, (INDIVISIBLE, answered(census=census(8))))
    assert said == (
        "MultiHeadAttention(5, 2) was accepted, but 5 is not divisible by 2; expected AssertionError at construction."
    )


def test_another_exception_is_no_refusal() -> None:
    """ValueError is told beside what was expected."""
    said = ruling(refuses, (INDIVISIBLE, raised("ValueError", stage="construct")))
    assert said is not None and "raised ValueError; expected AssertionError" in said


def test_a_refusal_after_construction_is_too_late() -> None:
    """The object must not come into being."""
    said = ruling(refuses, (INDIVISIBLE, raised("AssertionError", stage="parameters")))
    assert said is not None and "at construction" in said


def test_every_size_must_be_refused() -> None:
    """The second size is looked at too."""
    other = probe("MultiHeadAttention", 2, 4, calls=())
    said = ruling(refuses, (INDIVISIBLE, raised("AssertionError", stage="construct")), (other, answered()))
    assert said is not None and said.startswith("MultiHeadAttention(2, 4) was accepted")


@pytest.mark.parametrize("outcome", ["timeout", "died", "memory"])
def test_silence_is_no_refusal(outcome: str) -> None:
    """However construction ended, without AssertionError it was no refusal."""
    assert ruling(refuses, (INDIVISIBLE, Observation(outcome))) is not None  # type: ignore[arg-type]  # an outcome


def test_a_subclass_of_assertion_error_is_a_refusal() -> None:
    """The design takes any subclass, whatever it is called; asked through the whole flow, since only types tell."""
    reference = (Path(__file__).parents[1] / "solution" / "transformer_block.py").read_text(encoding="utf-8")
    condition = "assert embed_dim % num_heads == 0"
    own = "class Refused(AssertionError):\n    pass\n\n\nclass MultiHeadAttention"
    text = reference.replace("class MultiHeadAttention", own).replace(
        condition, "if embed_dim % num_heads:\n            raise Refused\n        assert True"
    )
    assert condition in reference and condition not in text
    checks = tuple(c for c in RUBRIC if c.component == COMPONENTS[0] and c.name in ("shape", "divisible"))
    report = Grader(Kit.here(), checks=checks).grade(Submission("x.py", "", text))
    assert [(r.id, r.status, r.message) for r in report.results if r.status != "passed"] == []


def test_equal_calls_with_equal_answers_leave_no_trace() -> None:
    """The same input gives the same numbers, whatever was asked between."""
    assert judged(leaves_no_trace, AGAIN, (0.5, 1.0), (7.0, 7.0), (0.5, 1.0)) is None


def test_a_changed_input_is_named() -> None:
    """Which call changed its input, and how that happens with lists."""
    said = judged(leaves_no_trace, AGAIN, (0.5, 1.0), answer((7.0, 7.0), untouched=False), (0.5, 1.0))
    assert said is not None and "LayerNorm(2) called with 2 numbers changed the caller's input; expected it as" in said


def test_another_answer_to_the_same_call_is_named() -> None:
    """What it was the first time, what the next time, and where."""
    said = judged(leaves_no_trace, AGAIN, (0.5, 1.0), (7.0, 7.0), (0.5, 3.0))
    assert said is not None and "gave 1 at [1] the first time and 3 the next time; expected the same answer" in said


def test_the_smallest_drift_is_a_trace() -> None:
    """A cache that grows moves the answer by less than a value check would notice."""
    assert judged(leaves_no_trace, AGAIN, (0.5, 1.0), (7.0, 7.0), (0.5, 1.0 + 1e-10)) is not None


def test_calls_that_differ_in_a_flag_are_different_calls() -> None:
    """With causal=False another answer is no trace."""
    asked = probe("MultiHeadAttention", 2, 1, calls=(Call(X), Call(X, False)))
    assert judged(leaves_no_trace, asked, X, ((0.0, 0.0),) * 3) is None


def test_weights_that_start_different_pass() -> None:
    """Random numbers, with biases at 0 and scales at 1."""
    initial = (0.123456789012, -0.310987654321, 0.0, 0.0, 1.0, 1.0, 0.25)
    assert judged(starts_different, FRESH, (0.0, 0.0), census=census(7, initial=initial)) is None


def test_short_numbers_may_repeat() -> None:
    """Weights drawn from a coarse grid coincide by chance."""
    initial = (0.1, 0.1, 0.5, 0.5, -0.25, 0.125)
    assert judged(starts_different, FRESH, (0.0, 0.0), census=census(6, initial=initial)) is None


@pytest.mark.parametrize("initial", [(0.0, 0.0, 0.0), (0.02, 0.02, 0.0), (1.0, 1.0, 1.0)])
def test_weights_that_start_equal_fail(initial: tuple[float, ...]) -> None:
    """All zeros, all ones or one constant: nothing can learn apart."""
    said = judged(starts_different, FRESH, (0.0, 0.0), census=census(3, initial=initial))
    assert said is not None and "All weights of a fresh FeedForward(2) are equal; expected different random" in said


def test_heads_that_start_as_copies_fail() -> None:
    """One head built once and copied: each number occurs twice."""
    head = (0.123456789012, -0.310987654321, 0.777777777123)
    said = judged(starts_different, FRESH, (0.0, 0.0), census=census(6, initial=head + head))
    assert said is not None and "the weight 0.123457 and 2 others occur more than once; expected weights" in said


def test_one_copy_among_many_weights_is_no_pattern() -> None:
    """A single coincidence is no copy of a layer."""
    initial = (*(0.1 + i / 7 for i in range(12)), 0.1 + 1 / 7)
    assert judged(starts_different, FRESH, (0.0, 0.0), census=census(13, initial=initial)) is None
