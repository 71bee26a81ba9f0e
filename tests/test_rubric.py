"""The rubric: a table that adds up, whose every line can be read, asked and judged."""

from __future__ import annotations

import inspect
import re
from dataclasses import replace
from itertools import combinations, pairwise
from pathlib import Path
from types import ModuleType

import pytest

from grader.checks import ask_attention, ask_block, ask_rows, causality, contract, gradient, heads, shape, values
from grader.checks.check import Check
from grader.records import COMPONENTS, Component, Probe
from grader.rubric import RUBRIC, plan

every_check = pytest.mark.parametrize("check", RUBRIC, ids=lambda check: check.id)
ASKING = (ask_attention, ask_block, ask_rows)
JUDGING = (causality, contract, gradient, heads, shape, values)
SEEDLESS = {"MultiHeadAttention.divisible", "FeedForward.relu"}  # sizes that are refused; two sides of every ReLU

ROOT = Path(__file__).resolve().parent.parent


@pytest.mark.parametrize(
    ("component", "points"),
    [("MultiHeadAttention", 40), ("LayerNorm", 18), ("FeedForward", 14), ("TransformerBlock", 28)],
)
def test_each_component_has_its_weight(component: Component, points: int) -> None:
    """40, 18, 14 and 28 points, as the exercise was weighed; 100 together."""
    assert sum(check.points for check in RUBRIC if check.component == component) == points


def test_all_points_are_a_hundred() -> None:
    """There are no components but the four."""
    assert sum(check.points for check in RUBRIC) == 100


def test_ids_are_unique() -> None:
    """A line is named once."""
    assert len({check.id for check in RUBRIC}) == len(RUBRIC)


@every_check
def test_points_are_whole_and_not_negative(check: Check) -> None:
    """Integers, and no line takes points away; a bool is no integer here."""
    assert type(check.points) is int and check.points >= 0


@every_check
def test_claim_and_hint_can_be_read(check: Check) -> None:
    """The claim is a clause that a message can end with a full stop; the hint is sentences."""
    assert check.claim.strip() == check.claim and check.claim[-1] not in ".?!" and len(check.claim) > 10
    assert check.hint.strip() == check.hint and check.hint[-1] in ".?" and len(check.hint) > 10


@every_check
def test_no_hint_gives_the_code_away(check: Check) -> None:
    """A hint points, it does not answer: no line of the kind that is handed in."""
    assert "self." not in check.hint and "return " not in check.hint.replace("returns", "")


@every_check
def test_what_a_line_waits_for_stands_before_it(check: Check) -> None:
    """Prerequisites are earlier lines of the same component, so one pass is enough."""
    earlier = [other.id for other in RUBRIC[: RUBRIC.index(check)] if other.component == check.component]
    assert [name for name in check.waits_for if name not in earlier] == []


def test_lines_of_a_component_stand_together() -> None:
    """The report shows components in their documented order."""
    assert list(dict.fromkeys(check.component for check in RUBRIC)) == list(COMPONENTS)
    changes = sum(a.component != b.component for a, b in pairwise(RUBRIC))
    assert changes == len(COMPONENTS) - 1


@every_check
def test_a_line_asks_about_its_own_component(check: Check) -> None:
    """A fault in another component cannot cost this line its points."""
    probes = check.ask(0)
    assert probes and {probe.component for probe in probes} == {check.component}


@every_check
def test_the_same_seed_asks_the_same(check: Check) -> None:
    """Two runs with one seed ask the same questions, to the last bit."""
    assert check.ask(7) == check.ask(7)


@every_check
def test_another_seed_asks_otherwise(check: Check) -> None:
    """Numbers that were published for one seed are no help with another; two lines need no numbers."""
    assert (check.ask(0) == check.ask(1)) == (check.id in SEEDLESS)


def test_lines_draw_apart() -> None:
    """Two lines that ask different questions do not ask them with the same numbers."""
    asked = [set(probes) for probes in plan(0).values() if probes[0].component == "MultiHeadAttention"]
    inputs = [{call.x for probe in probes for call in probe.calls} for probes in asked]
    for (one, its), (other, others) in combinations(zip(asked, inputs), 2):
        assert one & other or not its & others


@every_check
def test_questions_are_plain_and_hashable(check: Check) -> None:
    """Probes are keys of what is observed, and equal ones are asked once."""
    probes = check.ask(0)
    assert {replace(probe): 1 for probe in probes}.keys() == set(probes)


def test_a_call_refused_at_construction_is_expected_in_one_line_only() -> None:
    """An exception counts as an answer only where the text asks for one."""
    assert [check.id for check in RUBRIC if check.expects_fault] == ["MultiHeadAttention.divisible"]


def sizes(component: Component) -> set[tuple[float, ...]]:
    """The constructor arguments that are asked."""
    return {probe.args for probes in plan(0).values() for probe in probes if probe.component == component}


def test_every_number_of_heads_is_asked() -> None:
    """One head, as many heads as channels, and something between."""
    asked = {size for size in sizes("MultiHeadAttention") if size[0] % size[1] == 0}
    assert any(H == 1 for _, H in asked) and any(H == D for D, H in asked) and any(1 < H < D for D, H in asked)


def test_short_and_long_inputs_are_asked() -> None:
    """T = 1 and T > D, where shapes get mixed up."""
    for component in ("MultiHeadAttention", "TransformerBlock"):
        calls = [
            (len(c.x), p.args[0]) for ps in plan(0).values() for p in ps if p.component == component for c in p.calls
        ]
        assert any(T == 1 for T, _ in calls) and any(T > D for T, D in calls)


@pytest.mark.parametrize("module", [*ASKING, *JUDGING], ids=lambda module: module.__name__)
def test_asking_and_judging_functions_have_docstrings(module: ModuleType) -> None:
    """What a line asks and how it rules can be read in one sentence each."""
    functions = [f for _, f in inspect.getmembers(module, inspect.isfunction) if f.__module__ == module.__name__]
    assert functions
    assert [f.__name__ for f in functions if not f.__name__.startswith("_") and not f.__doc__] == []


@every_check
def test_judges_have_docstrings(check: Check) -> None:
    """Every rule, combined ones included, says in a sentence when the claim holds."""
    assert (check.judge.__doc__ or "").strip().endswith(".")


def test_a_part_of_the_rubric_is_planned_alone() -> None:
    """Fewer lines, the same questions."""
    some = tuple(check for check in RUBRIC if check.component == "LayerNorm")
    whole = plan(3)
    assert plan(3, some) == {check: whole[check] for check in some}


def stood_in(probe: Probe) -> bool:
    """Whether parts stand in for the student's own."""
    return probe.stand_ins is not None


def test_only_the_block_is_asked_with_parts_that_stand_in() -> None:
    """The block is judged without the student's other parts, and the other parts without any."""
    for check, probes in plan(0).items():
        assert {stood_in(probe) for probe in probes} == {check.component == "TransformerBlock"}


def test_the_handout_tells_the_points_of_the_rubric() -> None:
    """Per component and property, as the table in exercise/README.md has them."""
    handout = (ROOT / "exercise" / "README.md").read_text(encoding="utf-8")
    for component in COMPONENTS:
        lines = [check for check in RUBRIC if check.component == component]
        row = next(
            r for r in handout.splitlines() if r.startswith(f"| `{component}` | {sum(c.points for c in lines)} |")
        )
        for name in {check.property for check in lines}:
            assert f"{name} {sum(c.points for c in lines if c.property == name)}" in row


def test_the_walk_through_names_the_lines_of_the_rubric() -> None:
    """Every line that solution/README.md names exists, and it names them all."""
    text = (ROOT / "solution" / "README.md").read_text(encoding="utf-8")
    named = set(re.findall(rf"`((?:{'|'.join(COMPONENTS)})\.[a-z]+(?:\.[a-z]+)?)`", text))
    assert named - {check.id for check in RUBRIC} == set()
    assert [check.id for check in RUBRIC if check.id not in text] == []
