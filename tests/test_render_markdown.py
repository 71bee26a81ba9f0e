"""The report as Markdown: a step summary or a comment that a hand-in cannot break out of."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from grader.records import Diagnosis, Notice, Status
from grader.render.markdown import LIMIT, render
from tests.hostile import STATUSES, TRICKS, hostile, whole
from tests.observing import HAND_IN, report, result

LOST = [status for status in STATUSES if status != "passed"]


def outside(text: str) -> str:
    """What is left of the Markdown when fenced blocks are taken out as CommonMark reads them."""
    kept: list[str] = []
    fence = ""
    for line in text.split("\n"):
        run = re.match(r"`{3,}", line)
        if fence:
            fence = "" if run and line.strip() == run[0] and len(run[0]) >= len(fence) else fence
        elif run:
            fence = run[0]
        else:
            kept.append(line)
    assert not fence, "a fence was left open"
    return "\n".join(kept)


def test_the_table_has_each_component_with_its_points() -> None:
    """Score and maximum, checks passed and all."""
    text = render(report(result(), result("LayerNorm.eps", "failed", 3), result("FeedForward.shape")))
    assert "| LayerNorm | 2 / 5 | 1 of 2 |\n| FeedForward | 2 / 2 | 1 of 1 |" in text
    assert text.startswith("## 📝 4 of 7 points\n")


def test_full_marks_need_no_sections() -> None:
    """The table says it all."""
    text = render(whole("passed"))
    assert text.startswith("## ✅ 100 of 100 points\n") and "###" not in text


@pytest.mark.parametrize("status", LOST)
def test_a_lost_line_has_message_and_hint(status: Status) -> None:
    """The message stands in a fence, the hint below it."""
    text = render(report(result("LayerNorm.eps", status, 3)))
    assert f"### `LayerNorm.eps` {status}: 0 of 3" in text
    assert "\n```text\nLayerNorm.eps says why.\n```\n\n> **Hint:** Look at it again.\n" in text


def test_what_was_begun_comes_before_what_is_to_do_or_waits() -> None:
    """The most important first, and among equals the one that costs most."""
    lines = [
        result("LayerNorm.shape", "blocked"),
        result("LayerNorm.eps", "todo"),
        result("LayerNorm.pure", "failed", 1),
        result("LayerNorm.affine", "raised", 3),
    ]
    order = re.findall(r"### `LayerNorm\.(\w+)`", render(report(*lines)))
    assert order == ["affine", "pure", "eps", "shape"]


def test_one_cause_is_told_once() -> None:
    """A file that cannot be loaded does not repeat itself for every line."""
    text = render(whole("unloadable", message="The file cannot be loaded."))
    assert text.count("cannot be loaded") == 1 and text.count("`TransformerBlock.gradient` (4)") == 1


def test_diagnoses_and_notices_are_told() -> None:
    """Above the lines they explain."""
    told = (Diagnosis("LayerNorm", "eps", "It seems eps is outside.", "Where?"),)
    text = render(report(result(), diagnoses=told, notices=(Notice("LayerNorm", "Tuples."), Notice(None, "Printed."))))
    assert "**Likely cause in LayerNorm:** It seems eps is outside." in text and "> Where?" in text
    assert "*Notice:* LayerNorm: Tuples." in text and "*Notice:* Printed." in text


def test_nothing_of_a_hand_in_is_markup() -> None:
    """Outside of fences there is no tag, no link, no heading and no table that is not ours."""
    text = outside(render(hostile()))
    assert re.findall(r"(?<!\\)[<\[]", re.sub(r"`[^`\n]*`", "", text)) == []
    ours = re.compile(r"(## |### `|\| |> |\*|\\|Also |`|grader |$|[a-z])")
    assert [line for line in text.split("\n") if not ours.match(line)] == []
    assert not [line for line in text.split("\n") if line.startswith("# ")]


@pytest.mark.parametrize("ticks", range(1, 9))
def test_a_fence_is_longer_than_any_in_it(ticks: int) -> None:
    """Whatever number of backticks a hand-in writes."""
    message = f"a\n{'`' * ticks}\n<b>owned</b>\n{'`' * ticks}text\n"
    assert "owned" not in outside(render(report(result(status="raised", message=message))))


def test_no_one_is_mentioned() -> None:
    """An @ is never followed by a name, in a fence or outside of one."""
    assert re.findall(r"@(?!\u200b)", render(hostile())) == []


def test_what_cannot_be_seen_is_spelled_out() -> None:
    """Escapes, changes of direction and surrogates; the text can be written as UTF-8."""
    text = render(hostile())
    text.encode("utf-8")
    assert re.findall("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", text) == []
    assert "[U+202E]gnp.exe" in text and "[U+001B]" in text


@pytest.mark.parametrize("size", [100, 3_000, 100_000])
@pytest.mark.parametrize("trick", ["x", "`", "@", "<", "\\", "\n", "\u202e", "é"])
def test_it_stays_below_the_limit(size: int, trick: str) -> None:
    """Long messages, of characters that grow when they are made harmless, are cut, and it is said so."""
    lines = [result(f"LayerNorm.a{k}", "raised", message=f"{k}{trick * size}") for k in range(60)]
    text = render(report(*lines, notices=(Notice(None, trick * size),)))
    assert len(text) < LIMIT
    outside(text)
    told = len(re.findall("^### ", text, re.MULTILINE))
    assert told == 60 or f"*{60 - told} more reasons did not fit here" in text


def test_a_long_name_is_cut() -> None:
    """A name of a kilometre stays on its line."""
    text = render(report(result(), submission=replace(HAND_IN, name="s" * 5_000 + ".py")))
    assert len(text) < 600 and "cut here" in text


@pytest.mark.parametrize("trick", TRICKS)
def test_a_name_stays_in_its_code(trick: str) -> None:
    """The name is one line of inline code, whatever is in it."""
    text = render(report(result(), submission=replace(HAND_IN, name=f"a{trick}b.py")))
    line = next(line for line in text.split("\n") if ", seed 3, " in line)
    assert re.fullmatch(r"`[^`]*`, seed 3, 0\.8 s", line)
