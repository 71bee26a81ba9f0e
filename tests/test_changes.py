"""What changed between two reports, and what is shown first to whoever keeps saving."""

from __future__ import annotations

from dataclasses import replace

from grader.records import Diagnosis, Report, Status
from grader.render.changes import Run, changes, render
from grader.render.screen import Style
from tests.observing import HAND_IN, report, result


def seen(*statuses: Status, **rest: object) -> Report:
    """A report on LayerNorm's first lines, three points each."""
    names = ("shape", "eps", "affine")
    lines = [result(f"LayerNorm.{name}", status, 3) for name, status in zip(names, statuses)]
    return report(*(replace(line, points=3 if line.status == "passed" else 0) for line in lines), **rest)


def words(text: str) -> str:
    """Without its layout."""
    return " ".join(text.split())


def test_won_lost_and_points() -> None:
    """In the order of the rubric; a line that only fails otherwise is neither."""
    found = changes(seen("passed", "failed", "todo"), seen("blocked", "passed", "failed"))
    assert (found.won, found.lost, found.points) == (("LayerNorm.eps",), ("LayerNorm.shape",), 0)


def test_the_first_run_has_nothing_to_compare_with() -> None:
    """No word of what changed."""
    assert "Since" not in render(Run(seen("failed"), "02:00:00"), None)


def test_what_changed_is_told_with_time_and_score() -> None:
    """Points with their sign, and the lines' names."""
    before, now = Run(seen("failed", "passed"), "02:00:00"), Run(seen("passed", "failed"), "02:00:09")
    text = words(render(now, before))
    assert "02:00:09 transformer_block.py" in text
    assert "Since 02:00:00 (3/6): +0 points ✓ now passes LayerNorm: shape ✗ now lost LayerNorm: eps" in text


def test_no_change_is_told_too() -> None:
    """Whoever has saved wants to know that it was graded."""
    before, now = Run(seen("failed"), "02:00:00"), Run(seen("failed"), "02:00:09")
    assert "Since 02:00:00 (0/3): no check passed anew, none was lost." in words(render(now, before))


def test_the_next_step_comes_first() -> None:
    """What was begun before what is still to do, with its message, the likely cause, and one hint."""
    diagnosis = Diagnosis("LayerNorm", "eps", "Your eps is left out.", "Where?")
    text = words(render(Run(seen("todo", "failed", diagnoses=(diagnosis,)), "02:00:00"), None))
    assert "transformer_block.py" in text and text.index("failed LayerNorm.eps") < text.index("LayerNorm 0/6")
    assert text.count("Hint: ") == 1 and "Likely cause: Your eps is left out." in text
    assert "shape" not in text


def test_more_hints_where_they_are_asked_for() -> None:
    """One more for each time."""
    assert [render(Run(seen("failed"), ""), None, Style(hints=n)).count("Hint: ") for n in range(4)] == [1, 2, 3, 3]


def test_full_marks_leave_no_next_step() -> None:
    """And no hint."""
    text = render(Run(seen("passed", "passed"), ""), None)
    assert "Full marks: all 2 checks passed." in text and "Hint" not in text


def test_a_file_that_cannot_be_loaded_is_no_loss() -> None:
    """The score before is told, not that every line is lost."""
    text = render(Run(seen("unloadable", "unloadable"), "02:00:09"), Run(seen("passed", "passed"), "02:00:00"))
    assert "At 02:00:00 it was 6/6." in text and "lost" not in text and "Hint" not in text


def test_a_name_cannot_steer_the_terminal() -> None:
    """Not even the file's."""
    odd = Run(seen("failed", submission=replace(HAND_IN, name="\x1b[2J.py")), "02:00:00")
    assert "\x1b" not in render(odd, None) and "?[2J.py" in render(odd, None)
