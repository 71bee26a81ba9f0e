"""The end of a class's run for people: every figure is there, and nobody is left out."""

from __future__ import annotations

from dataclasses import replace

from grader.cohort import Casualty, Cohort, HandIn, Mark, Trouble
from grader.render.class_summary import render
from tests.class_runs import stood

PASSED = Mark("LayerNorm.shape", "passed", 2, 2)
FAILED = Mark("LayerNorm.shape", "failed", 0, 2)
NAMED = (("LayerNorm", "norm-eps-left-out"),)


def summary(cohort: Cohort, pass_mark: int | None = None) -> str:
    """The summary; every line fits a terminal."""
    text = render(cohort, pass_mark)
    assert text.isascii() and text.endswith("\n") and max(map(len, text.splitlines())) <= 80
    return text


def test_scores_checks_and_misconceptions_are_counted() -> None:
    """Mean, median, how many have enough, how many passed each check, which mistake was the most common."""
    standings = (
        stood("ada", marks=(PASSED,)),
        replace(stood("bo", 40, marks=(FAILED,)), misconceptions=NAMED),
        replace(stood("cleo", 61, marks=(FAILED,)), misconceptions=NAMED),
    )
    text = summary(Cohort(standings, (), (), 3, 6.0), pass_mark=60)
    assert "3 hand-ins graded in 6.0 s, 0.5 a second" in text
    assert "mean 67.0, median 61, lowest 40, full 1, at least 60: 2" in text
    assert "LayerNorm.shape                         33 %   2 failed" in text
    assert "2  LayerNorm: norm-eps-left-out" in text and "Isolation: process (3)" in text


def test_everyone_without_a_score_is_named() -> None:
    """Casualties of the grader apart from students without one file; remarks too."""
    noted = replace(stood("dan"), hand_in=HandIn("dan", (), "dan/x.py", ("The file is named x.py; accepted.",)))
    lost = (Casualty(HandIn("ada", (), "ada.py"), "the reference did not answer"),)
    text = summary(Cohort((noted,), lost, (Trouble("bo", "several candidates: " + "a.py " * 30),), 1, 100.0))
    assert "no score, not a zero" in text and "ada: the reference did not answer" in text
    assert "bo: several candidates" in text and "dan: The file is named x.py" in text


def test_a_class_that_is_known_already() -> None:
    """Nothing was run now, and that is said."""
    assert "1 hand-ins graded (0 files graded now" in summary(Cohort((stood("ada"),), (), (), 0, 0.1))


def test_nobody_graded() -> None:
    """Only who could not be."""
    assert "0 hand-ins graded" in summary(Cohort((), (), (Trouble("bo", "none"),), 0, 0.1))


def test_a_score_above_the_usual_maximum_has_its_place() -> None:
    """After a change of points some have more than others could have."""
    text = summary(Cohort((replace(stood("ada", 110), max_score=110), stood("bo", 100)), (), (), 2, 1.0))
    assert "Scores of 110" in text
