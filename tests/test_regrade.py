"""Judging again: a change of rubric or judgement moves who it should, and nobody's code runs."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from grader.classroom import STORE
from tests.class_runs import handed_in, ran
from tests.hand_ins import copied

STEMS = ("ada_assert_helper", "ada_ln_eps_ignored", "eva_ln_no_affine")
EPS = '"eps is added to the variance inside the root, 1e-5 by default, and used when given"'


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the kit beside a class that it has graded."""
    home = tmp_path_factory.mktemp("class")
    kit = copied(home / "kit")
    done = ran("class", handed_in(home / "hand-ins", STEMS), "--output", home / "run", kit=kit)
    assert done.returncode == 0, done.stderr
    shutil.rmtree(home / "hand-ins")  # judging again needs no files, and runs none
    return home


@pytest.fixture
def home(graded: Path, tmp_path: Path) -> Path:
    """A copy of all that, to change."""
    return Path(shutil.copytree(graded, tmp_path / "home"))


def changed(home: Path, file: str, old: str, new: str) -> None:
    """Put ``new`` in place of ``old`` in the kit."""
    path = home / "kit" / "grader" / file
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_without_a_change_nobody_moves(home: Path) -> None:
    """And nothing is written."""
    before = (home / "run" / STORE).read_bytes()
    done = ran("regrade", home / "run", kit=home / "kit")
    assert done.returncode == 0 and "3 hand-ins again" in done.stdout and "0 moved" in done.stdout
    assert (home / "run" / STORE).read_bytes() == before


def test_a_change_of_points_names_every_mover(home: Path) -> None:
    """Who, from what to what, by how much, because of which check; the run has the new marks."""
    changed(home, "rubric.py", 'Check("eps", "values", 3,', 'Check("eps", "values", 13,')
    done = ran("regrade", home / "run", "--csv", home / "marks.csv", kit=home / "kit")
    assert done.returncode == 0, done.stderr
    assert "2 moved" in done.stdout or "3 moved" in done.stdout
    assert "ada_assert_helper: 100 -> 110 (+10): LayerNorm.eps 3 -> 13 (passed)" in done.stdout
    assert "ada_ln_eps_ignored" not in done.stdout  # it has no points there, before or after
    assert "ada_assert_helper,graded,110,110" in (home / "marks.csv").read_text(encoding="utf-8")
    again = ran("regrade", home / "run", kit=home / "kit")
    assert "0 moved" in again.stdout


def test_a_change_of_judgement_moves_with_the_status(home: Path) -> None:
    """A check that now lets everything pass."""
    changed(home, "rubric.py", "rows.norm_eps, equals_reading,", "rows.norm_eps, lambda evidence, probes: None,")
    done = ran("regrade", home / "run", kit=home / "kit")
    assert "LayerNorm.eps 0 -> 3 (failed -> passed)" in done.stdout, done.stdout + done.stderr
    assert "ada_assert_helper" not in done.stdout


def test_judged_again_is_what_grading_again_would_give(home: Path) -> None:
    """The report from stored observations is the report from new ones, to the last word."""
    changed(home, "rubric.py", EPS, '"another claim"')
    ran("regrade", home / "run", kit=home / "kit")
    hand_ins = handed_in(home / "hand-ins", STEMS)
    ran("class", hand_ins, "--output", home / "fresh", kit=home / "kit")
    ran("class", hand_ins, "--output", home / "run", "--reports", "json", kit=home / "kit")
    fresh = ran("class", hand_ins, "--output", home / "fresh", "--reports", "json", kit=home / "kit")
    assert "0 files graded now" in fresh.stdout
    for stem in STEMS:
        one, other = ((home / run / "reports" / f"{stem}.json").read_text(encoding="utf-8") for run in ("run", "fresh"))
        assert _lines(one) == _lines(other) and "another claim" in one


def _lines(report: str) -> list[str]:
    return [line for line in report.splitlines() if '"seconds"' not in line]


def test_new_questions_are_refused_and_asked_on_request(home: Path) -> None:
    """Refused by the name of the check, with nothing written; with --ask only they are asked, and the run goes on."""
    changed(
        home,
        "rubric.py",
        "(), rows.norm_shapes, keeps_shape",
        "(), lambda seed: rows.norm_shapes(seed + 1), keeps_shape",
    )
    before = (home / "run" / STORE).read_bytes()
    refused = ran("regrade", home / "run", kit=home / "kit")
    assert refused.returncode != 0 and "LayerNorm.shape" in refused.stderr and "--ask" in refused.stderr
    assert (home / "run" / STORE).read_bytes() == before
    asked = ran("regrade", home / "run", "--ask", kit=home / "kit")
    assert asked.returncode == 0 and "0 moved" in asked.stdout, asked.stderr
    assert (home / "run" / STORE).read_bytes().startswith(before)


def test_a_folder_that_is_no_run_is_refused(tmp_path: Path) -> None:
    """With the name of what is missing."""
    done = ran("regrade", tmp_path)
    assert done.returncode != 0 and "register.json" in done.stderr
