"""The report on a terminal: 80 columns, plain where it must be, and safe whatever a hand-in writes."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import get_args

import pytest

from grader.records import Diagnosis, Notice, Report, Status
from grader.render.terminal import Style, render
from grader.rubric import RUBRIC
from tests.observing import HAND_IN, report, result

STATUSES: tuple[Status, ...] = get_args(Status)
LONG = "MultiHeadAttention(6, 2) called with 4 rows of 6 numbers: output[1][0] is 6.2302; expected 6.2539. " * 3
NOTICES = (Notice(None, "The code printed 1,234 bytes; they were dropped. " * 2), Notice("LayerNorm", "Tuples. " * 15))
DIAGNOSIS = Diagnosis("LayerNorm", "eps", "It seems that eps is added outside of the square root. " * 2, "Where?")


def whole(status: Status, message: str = LONG) -> Report:
    """The whole rubric with one status, and a diagnosis and notices."""
    passed = status == "passed"
    lines = [
        result(c.id, status, c.points, claim=c.claim, hint="" if passed else c.hint, message="" if passed else message)
        for c in RUBRIC
    ]
    return report(*lines, diagnoses=(DIAGNOSIS,), notices=NOTICES)


def one(message: str, status: Status = "failed", **rest: str) -> Report:
    """A report of one passed line and one with this message."""
    return report(result(), result("LayerNorm.eps", status, 3, message=message, **rest))


@pytest.mark.parametrize("status", STATUSES)
@pytest.mark.parametrize("unicode", [True, False])
def test_no_line_is_wider_than_80(status: Status, unicode: bool) -> None:
    """With hints and all, at the usual width."""
    text = render(whole(status), Style(unicode=unicode, hints=1))
    assert [line for line in text.splitlines() if len(line) > 80] == []


@pytest.mark.parametrize("width", [40, 50, 60, 100])
def test_other_widths_are_kept(width: int) -> None:
    """A narrow terminal gets narrow lines, and a wide one is used."""
    longest = max(len(line) for line in render(whole("failed"), Style(width=width, hints=1)).splitlines())
    assert width - 12 <= longest <= width


def test_a_long_file_name_does_not_break_the_width() -> None:
    """The line of the score holds the name of the hand-in, whatever it is."""
    text = render(report(result(), submission=replace(HAND_IN, name="s" * 120 + ".py")))
    assert [line for line in text.splitlines() if len(line) > 80] == []


@pytest.mark.parametrize("message", ["x" * 500, "…" * 200, "a\tb" * 60])
@pytest.mark.parametrize("unicode", [True, False])
def test_odd_messages_do_not_break_the_width(message: str, unicode: bool) -> None:
    """Words without spaces, characters that ASCII writes with three, tabs."""
    text = render(one(message), Style(unicode=unicode))
    assert [line for line in text.splitlines() if len(line.expandtabs()) > 80] == []


@pytest.mark.parametrize("status", STATUSES)
def test_ascii_mode_is_pure_ascii(status: Status) -> None:
    """A terminal without Unicode gets nothing that it cannot show, even from the hand-in's text."""
    assert render(whole(status, "é ✓ “quoted” 数"), Style(unicode=False, hints=1)).isascii()


@pytest.mark.parametrize("status", STATUSES)
def test_without_colour_there_are_no_escapes(status: Status) -> None:
    """A pipe or a file gets plain text."""
    assert "\x1b" not in render(whole(status), Style(colour=False, hints=1))


@pytest.mark.parametrize("status", STATUSES)
def test_colour_changes_nothing_but_colour(status: Status) -> None:
    """With the escapes taken out both texts are one, and every escape is closed on its line."""
    text = render(whole(status), Style(colour=True, hints=1))
    assert re.sub(r"\x1b\[[0-9;]*m", "", text) == render(whole(status), Style(hints=1))
    assert all(line.count("\x1b[0m") * 2 == line.count("\x1b[") for line in text.splitlines())
    assert "\x1b[" in text


@pytest.mark.parametrize("colour", [True, False])
@pytest.mark.parametrize("odd", ["\x1b[2J\x1b[H", "\x1b]0;title\x07", "\x9b2J", "\x08\x08", "\rScore 100/100"])
def test_a_hand_in_cannot_steer_the_terminal(odd: str, colour: bool) -> None:
    """Escapes in an exception's text or a file's name would let it forge the report on the screen."""
    forged = replace(one(f"raised ValueError: {odd}x"), submission=replace(HAND_IN, name=f"{odd}.py"))
    text = re.sub(r"\x1b\[[0-9;]*m", "", render(forged, Style(colour=colour)))
    assert re.findall(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]", text) == []


def test_a_whole_component_is_one_line() -> None:
    """Full marks need no list."""
    text = render(report(result(), result("LayerNorm.eps")))
    assert "✓ all 2 checks passed" in text and "eps" not in text


def test_points_stand_beside_each_component() -> None:
    """Score and maximum at the right edge of the component's title."""
    title = render(one("It is 1; expected 2.")).splitlines()[0]
    assert re.fullmatch(r"LayerNorm +2/5", title) and len(title) == 79


@pytest.mark.parametrize("status", [status for status in STATUSES if status not in ("passed", "blocked", "unloadable")])
def test_a_line_that_did_not_pass_says_why(status: Status) -> None:
    """Status, points, name, and the message below."""
    text = render(one("It is 1; expected 2.", status))
    assert re.search(rf"{status} +0/3  eps: a vector in, a vector out\n      It is 1; expected 2\.\n", text)


def test_blocked_lines_are_told_together() -> None:
    """One line for all that wait for the same, with the points that wait."""
    waits = "Waits for LayerNorm.shape, which did not pass."
    lines = [result(f"LayerNorm.{name}", "blocked", 3, message=waits) for name in ("eps", "affine")]
    text = " ".join(render(report(result(status="failed"), *lines)).split())
    assert f"blocked 0/6 eps, affine. {waits}" in text and text.count("Waits for") == 1


def test_the_same_message_is_told_once() -> None:
    """A component that hangs on every line does not fill the screen with one sentence."""
    assert render(whole("timeout", "It did not end.")).count("did not end") == 4


def test_a_file_that_cannot_be_loaded_is_told_in_one_screen() -> None:
    """Why, the score, and what to do: no list of lines that all say the same."""
    text = render(report(*whole("unloadable", "The file cannot be loaded: SyntaxError.").results))
    assert text.startswith("! The file cannot be loaded: SyntaxError.\n\nScore 0/100 ") and "shape" not in text
    assert text.endswith("Next  Make the file load; nothing else can be looked at before.\n")


def test_what_passed_is_told_in_brief() -> None:
    """Beside other components; alone, every line has its claim."""
    lines = result(), result("LayerNorm.affine"), result("LayerNorm.eps", "failed", 3)
    text = render(report(*lines, result("FeedForward.shape")))
    assert "  ✓ passed      4/4  shape, affine\n  ✗ failed      0/3  eps: a vector" in text
    assert render(report(*lines)).count("✓ passed      2/2  ") == 2


def test_what_is_to_do_is_told_in_brief() -> None:
    """A component that is not begun: its points, the names of its lines, and how to begin."""
    lines = [result(f"LayerNorm.{name}", "todo", 2, message=f"Next: write {name}.") for name in ("shape", "eps")]
    text = render(report(result("FeedForward.shape"), *lines))
    assert "  · todo        0/4  shape, eps\n      Next: write shape.\n" in text and "Next: write eps." not in text


@pytest.mark.parametrize("hints", [0, 1])
def test_what_is_to_do_is_told_in_full_where_it_is_asked_for(hints: int) -> None:
    """With hints, or with one component alone, every line has its claim."""
    lines = [result(f"LayerNorm.{name}", "todo", 2) for name in ("shape", "eps")]
    others = [result("FeedForward.shape")] if hints else []
    assert render(report(*others, *lines), Style(hints=hints)).count("a vector in, a vector out") == 3


def test_todo_is_told_once_in_a_component() -> None:
    """A stub's first line of each component says what to write next, the others only that they are to do."""
    lines = [result(f"LayerNorm.{name}", "todo", message=f"Next: write {name}.") for name in ("shape", "eps")]
    text = render(report(*lines))
    assert "Next: write shape." in text and "Next: write eps." not in text and text.count("todo ") == 2


def test_hints_are_shown_on_request_only() -> None:
    """Below the message of the line."""
    assert "Hint:" not in render(one("It is 1; expected 2."))
    assert "      Hint: Look at it again.\n" in render(one("It is 1; expected 2."), Style(hints=1))


def test_the_end_has_score_name_seed_and_time() -> None:
    """What a student looks for first, at the end of the text."""
    assert "Score 2/5   transformer_block.py, seed 3, 0.8 s\n" in render(one("It is 1; expected 2."))


def test_the_end_names_the_next_step() -> None:
    """The first line that was begun and did not pass, before what is still to do."""
    lines = result(status="todo"), result("LayerNorm.eps", "failed", 3)
    assert render(report(*lines)).endswith("Next  LayerNorm.eps: a vector in, a vector out.\n")
    assert render(report(lines[0])).endswith("Next  LayerNorm.shape: a vector in, a vector out.\n")


def test_full_marks_have_no_next_step() -> None:
    """There is nothing left to do."""
    assert "Next" not in render(report(result()))


def test_diagnoses_and_notices_are_shown() -> None:
    """Each with its component, or without one."""
    text = " ".join(render(whole("failed")).split())
    assert "Likely cause LayerNorm: It seems that eps" in text
    assert "Notice The code printed" in text and "Notice LayerNorm: Tuples." in text
