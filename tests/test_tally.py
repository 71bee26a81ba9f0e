"""The audit's arithmetic on outcomes made by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.corpus import Case, cases
from grader.findings import Line, Outcome, Share
from grader.records import COMPONENTS, Status, UsageError
from grader.tally import tally

RIGHT = Case(Path("right/one.py"), "right")
WRONG = Case(Path("wrong/two.py"), "wrong", (("LayerNorm", "values"),), "norm-not-centred")


def line(name: str, status: Status = "passed", lost: int = 0) -> Line:
    """A line of LayerNorm, or of the component that is named."""
    component, _, check = name.rpartition(".")
    return Line(name, (component, check), status, lost)


LOST, WAITING = line("LayerNorm.values", "failed", 3), line("LayerNorm.values", "blocked", 3)
KEPT = line("LayerNorm.values")


@pytest.mark.parametrize(
    ("count", "total", "low", "high"),
    [(180, 180, 0.97910, 1.0), (0, 10, 0.0, 0.27753), (5, 10, 0.23659, 0.76341), (0, 0, 0.0, 1.0)],
)
def test_wilson_interval(count: int, total: int, low: float, high: float) -> None:
    """The interval is the one in the textbooks, also at the ends."""
    assert Share(count, total).interval == pytest.approx((low, high), abs=1e-4)


def test_a_hand_in_counts_once_for_all_seeds() -> None:
    """A right hand-in that loses marks under one seed of three is not right everywhere."""
    outcomes = [Outcome(RIGHT, seed, 100, (LOST if seed == 2 else KEPT,)) for seed in range(3)]
    findings = tally(outcomes, [])
    assert (findings.right, [t.seed for t in findings.right_that_lose]) == (Share(0, 1), [2])


def test_a_waiting_line_fits_but_not_directly() -> None:
    """Points lost to a line that waits for another are lost in the fitting place, not by its own ruling."""
    shape = line("LayerNorm.shape", "raised", 2)
    findings = tally([Outcome(WRONG, 0, 95, (shape, WAITING))], [])
    assert (findings.fitting, findings.direct) == (Share(1, 1), Share(0, 1))


def test_collateral_is_what_the_fault_cannot_reach() -> None:
    """Points of a component that the first line does not name."""
    findings = tally([Outcome(WRONG, 0, 95, (LOST, line("FeedForward.relu", "failed", 2)))], [])
    assert [trouble.what for trouble in findings.collateral] == ["FeedForward loses 2"]


@pytest.mark.parametrize(
    ("names", "missed", "false"),
    [
        (("norm-not-centred",), [], []),
        ((), ["norm-not-centred"], []),
        (("norm-eps-fixed",), ["norm-not-centred"], ["norm-eps-fixed"]),
        (("norm-not-centred", "block-parallel"), [], ["block-parallel"]),
        (None, [], []),
    ],
)
def test_names(names: tuple[str, ...] | None, missed: list[str], false: list[str]) -> None:
    """The first name has to be the right one, and every other name is false."""
    findings = tally([Outcome(WRONG, 0, 97, (LOST,), names)], [])
    assert ([t.what for t in findings.missed_names], [t.what for t in findings.false_names]) == (missed, false)


def test_a_name_for_a_right_hand_in_is_false() -> None:
    """Whoever keeps all marks has no misconception."""
    findings = tally([Outcome(RIGHT, 0, 100, (KEPT,), ("block-parallel",))], [])
    assert len(findings.false_names) == 1 and not findings.clean


def test_a_check_that_waited_catches_nothing() -> None:
    """Faults are counted for the lines that ruled; "alone" is what the outcome says."""
    outcomes = [
        Outcome(WRONG, 0, 97, (LOST,), alone="LayerNorm.values"),
        Outcome(Case(Path("three.py"), "wrong", WRONG.fails), 0, 97, (WAITING,)),
    ]
    (row,) = tally(outcomes, ["LayerNorm.values"]).checks
    assert (row.faults, row.alone) == (1, 1)


def test_a_broken_grader_is_not_clean() -> None:
    """A hand-in that could not be graded is neither right nor caught."""
    findings = tally([Outcome(RIGHT, 0, broken="no worker"), Outcome(WRONG, 0, broken="no worker")], [])
    assert (findings.right, findings.caught, len(findings.broken)) == (Share(0, 1), Share(0, 1), 2)


@pytest.mark.parametrize("first", ["", "# wrong: no end.", "# wrong: what. Fails: Nothing.at_all"])
def test_a_wrong_hand_in_must_say_what_fails(tmp_path: Path, first: str) -> None:
    """Its first line ends with the component and the property, else the corpus cannot be used."""
    (tmp_path / "wrong").mkdir()
    (tmp_path / "wrong" / "one.py").write_text(f"{first}\n", encoding="utf-8")
    with pytest.raises(UsageError, match="Fails:"):
        cases(tmp_path)


def test_names_of_strangers_are_refused(tmp_path: Path) -> None:
    """A table that names a hand-in that is not there is an old one."""
    (tmp_path / "wrong").mkdir()
    (tmp_path / "wrong" / "one.py").write_text("# wrong: x. Fails: LayerNorm.values\n", encoding="utf-8")
    (tmp_path / "named.json").write_text('{"two": "norm-not-centred"}', encoding="utf-8")
    with pytest.raises(UsageError, match="two"):
        cases(tmp_path)


def test_what_equals_the_reference_is_counted_where_it_was_asked() -> None:
    """A right one in all components, a wrong one in those of its fault; who was not asked does not count."""
    whole = Outcome(RIGHT, 0, 100, (KEPT,), confirmed=COMPONENTS)
    partly = Outcome(Case(Path("right/other.py"), "right"), 0, 100, (KEPT,), confirmed=("LayerNorm",))
    equal, other = (Outcome(WRONG, 0, 97, (LOST,), confirmed=(c,)) for c in ("LayerNorm", "FeedForward"))
    findings = tally([whole, partly, equal, other, Outcome(RIGHT, 1, 100, (KEPT,))], [])
    assert (findings.confirmed, findings.equal) == (Share(1, 2), Share(1, 2))
    missing = "MultiHeadAttention, FeedForward, TransformerBlock"
    assert [(t.name, t.what) for t in findings.unconfirmed] == [("other", missing)]
