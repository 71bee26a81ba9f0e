"""The corpus: right hand-ins keep every mark, wrong ones lose them where their first line says and nowhere else."""

from __future__ import annotations

import re
import sys
from functools import cache, partial
from pathlib import Path

import pytest

from grader.grading import Grader
from grader.isolation import Level
from grader.kit import Kit
from grader.records import Report, Result
from grader.rubric import RUBRIC
from grader.submission import read
from tests.message_style import troubles

CORPUS = Path(__file__).parent / "submissions"
RIGHT = sorted((CORPUS / "right").glob("*.py"))
WRONG = sorted((CORPUS / "wrong").glob("*.py"))
SEEDS = (0, 1, 2)
PAIRS = {f"{check.component}.{check.property}" for check in RUBRIC}
NAMED = "(?:" + "|".join(sorted(map(re.escape, PAIRS))) + ")"

each_right = pytest.mark.parametrize("path", RIGHT, ids=lambda path: path.stem)
each_wrong = pytest.mark.parametrize("path", WRONG, ids=lambda path: path.stem)


@cache
def _grader(seed: int, level: Level = "full") -> Grader:
    """One for each seed and level of isolation: what is expected is asked once."""
    grader = Grader(Kit.here(), seed)
    if level != "full":
        grader._observe = partial(grader._observe, require=level, apply=level)  # the usual one tries for full
    return grader


def _graded(path: Path, seed: int) -> Report:
    return _grader(seed).grade(read(path))


def _first_line(path: Path) -> str:
    return path.read_bytes().splitlines()[0].decode("utf-8-sig")


def _named(path: Path) -> set[str]:
    """The "Component.property" pairs in the first line of a wrong hand-in."""
    return set(re.findall(NAMED, _first_line(path).partition(" Fails: ")[2]))


def _lost(report: Report) -> list[Result]:
    return [result for result in report.results if result.status != "passed"]


def _told(results: list[Result]) -> str:
    return "\n".join(f"{result.id} {result.status}: {result.message}" for result in results)


def test_corpus_is_large_enough() -> None:
    """There are at least 15 right and 40 wrong hand-ins."""
    assert len(RIGHT) >= 15 and len(WRONG) >= 40


def test_corpus_is_spread_over_the_rubric() -> None:
    """Every component is named by some wrong hand-in, and so is every property."""
    named = set().union(*map(_named, WRONG))
    assert {part for pair in PAIRS - named for part in pair.split(".")} <= {
        p for pair in named for p in pair.split(".")
    }


@each_right
def test_first_line_says_what_is_right(path: Path) -> None:
    """A right hand-in begins with `# right:` and words."""
    assert re.fullmatch(r"# right: \S.*\S", _first_line(path))


@each_wrong
def test_first_line_says_what_is_wrong(path: Path) -> None:
    """A wrong hand-in begins with `# wrong:`, a sentence, and the rubric's own names for what must fail."""
    assert re.fullmatch(rf"# wrong: \S.*\. Fails: {NAMED}(?:, {NAMED})*\.?", _first_line(path))


@pytest.mark.parametrize("seed", SEEDS)
@each_right
def test_right_hand_in_has_every_line_passed(path: Path, seed: int) -> None:
    """A right hand-in gets 100/100: whatever its layout and style, no line takes a point."""
    report = _graded(path, seed)
    assert not _lost(report), _told(_lost(report))
    assert (report.score, report.max_score) == (100, 100)


@pytest.mark.skipif(sys.platform != "linux", reason="the levels above process are Linux's")
@pytest.mark.parametrize("level", ["process", "limits", "files"])
@each_right
def test_right_hand_in_is_right_at_every_level(path: Path, level: Level) -> None:
    """No layer takes a point from a right hand-in, and none of them is needed to see that it is right."""
    report = _grader(0, level).grade(read(path))
    assert report.score == 100, _told(_lost(report))
    assert report.environment.isolation[0].startswith(level)


@pytest.mark.parametrize("seed", SEEDS)
@each_wrong
def test_wrong_hand_in_loses_what_its_first_line_names(path: Path, seed: int) -> None:
    """Each named property loses points, components that are not named keep theirs, and every message can be read.

    The messages are held to their style here because the corpus is graded here.
    """
    report = _graded(path, seed)
    lost = _lost(report)
    named = _named(path)
    components = {pair.partition(".")[0] for pair in named}
    assert named - {f"{result.component}.{result.property}" for result in lost} == set(), _told(lost)
    elsewhere = [result for result in lost if result.component not in components]
    assert not elsewhere, _told(elsewhere)
    assert troubles(report) == []


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", ["ada_zeros.py", "ada_identity.py"])
def test_zeros_and_identity_score_nothing(name: str, seed: int) -> None:
    """Returning zeros, or the input, earns no point at all: each "does not change" has a "does change" beside it."""
    report = _graded(CORPUS / "wrong" / name, seed)
    assert report.score == 0, _told([result for result in report.results if result.status == "passed"])
