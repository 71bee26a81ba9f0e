"""Lines that a made-up function can have count only where something shows that the answers are computed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from grader.checks.check import Check
from grader.checks.evidence import Evidence, Ruling
from grader.checks.founded import unfounded
from grader.checks.values import equals_reading
from grader.judging import judge
from grader.records import Call, Graph, Observation, Probe, Result
from tests.observing import HAND_IN, answer, answered

PROBE = Probe("FeedForward", (2,), (Call((2.0, 3.0)), Call((2.5, 3.0))), graph=True)
# The outputs are the product of the inputs, and the first of them.
GRAPH = Graph(("", "", "*"), (2.0, 3.0, 6.0), ((), (), (0, 1)), (0, 1), (), (2, 0), unlisted=0)
COMPUTED = answered((6.0, 2.0), (7.5, 2.5), graph=GRAPH)
MADE_UP = answered((6.0, 2.0), (9.9, 2.5), graph=GRAPH)
OWN = replace(COMPUTED, graph=replace(GRAPH, ops=("", "", "lookup")))


def holds(_: object, __: object) -> Ruling:
    """A judge that is content."""
    return None


def line(name: str, judge_of: object = holds) -> Check:
    """A line of two points about FeedForward."""
    return Check(name, "contract", 2, (), lambda _: (PROBE,), judge_of, "claim", "hint", "FeedForward")  # type: ignore[arg-type]


PURE, SHAPE, VALUES = line("pure"), line("shape"), line("values", equals_reading)
PLAN = dict.fromkeys((SHAPE, PURE, VALUES), (PROBE,))


def resting(seen: Observation, values: str) -> frozenset[str]:
    """The lines that rest on nothing when the line of the values has this status."""
    results = {
        check.id: Result(check.id, "FeedForward", "contract", "claim", "passed", 2, 2, "", "", 0.0) for check in PLAN
    }
    results[VALUES.id] = replace(results[VALUES.id], status=values)  # type: ignore[arg-type]
    return unfounded(PLAN, Evidence({PROBE: seen}, {}, {}), results)


@pytest.mark.parametrize("seen", [MADE_UP, OWN, replace(COMPUTED, graph=None), Observation("died")])
def test_a_claim_about_made_up_numbers_does_not_count(seen: Observation) -> None:
    """No record, one that gives other numbers, or one that cannot be done again: purity rests on nothing."""
    assert resting(seen, "failed") == {"FeedForward.pure"}


def test_right_numbers_are_ground_enough() -> None:
    """Whoever has the reference's numbers has computed them, whatever his record is."""
    assert resting(MADE_UP, "passed") == frozenset()


def test_a_record_that_gives_the_numbers_is_ground_enough() -> None:
    """A wrong formula that is really computed keeps the lines that hold of it."""
    assert resting(COMPUTED, "failed") == frozenset()


def test_an_answer_without_numbers_is_none() -> None:
    """A record beside something that is no list of Values shows nothing."""
    odd = replace(COMPUTED, answers=(COMPUTED.answers[0], answer(None)))
    assert resting(odd, "failed") == {"FeedForward.pure"}


def test_the_line_says_what_it_waits_for() -> None:
    """It is blocked, without points, in words that tell what would count."""
    found = {r.id: r for r in judge(PLAN, Evidence({PROBE: MADE_UP}, {}, {"FeedForward": ()}), HAND_IN)}
    assert (found["FeedForward.pure"].status, found["FeedForward.pure"].points) == ("blocked", 0)
    assert found["FeedForward.pure"].message.startswith("Waits for right numbers of FeedForward")
