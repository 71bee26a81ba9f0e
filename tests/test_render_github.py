"""The report as workflow commands, read back as GitHub's runner reads them."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace

import pytest

from grader.records import Report, Status
from grader.render.github import render
from grader.rubric import RUBRIC
from tests.hostile import STATUSES, TRICKS, hostile, whole
from tests.observing import HAND_IN, report, result

CODE = "import math\n\n\nclass LayerNorm:\n    pass\n\n\nclass FeedForward:\n    pass\n"
FILE = replace(HAND_IN, text=CODE)


@dataclass(frozen=True)
class Command:
    """One workflow command as the runner understands it."""

    name: str
    properties: dict[str, str]
    data: str


def decoded(text: str, *more: tuple[str, str]) -> str:
    """Percent-decoding in the runner's order, the percent sign last."""
    for code, character in (("%0D", "\r"), ("%0A", "\n"), *more, ("%25", "%")):
        text = text.replace(code, character)
    return text


def commands(text: str) -> list[Command]:
    """Every line of a log as the runner reads it; a line that is no command, or one not ours, is an error here."""
    found = []
    for line in re.split(r"\r\n|\r|\n", text.removesuffix("\n")):
        head, _, data = line.removeprefix("::").partition("::")
        name, _, properties = head.partition(" ")
        assert line.startswith("::") and name in ("error", "notice"), line
        pairs = [p.partition("=") for p in properties.split(",") if p]
        read = {key: decoded(value, ("%3A", ":"), ("%2C", ",")) for key, _, value in pairs}
        assert read.keys() <= {"file", "line", "title"}
        found.append(Command(name, read, decoded(data)))
    return found


def errors(seen: Report) -> list[Command]:
    """The error annotations of a report."""
    return [command for command in commands(render(seen)) if command.name == "error"]


def test_classroom_gets_its_two_notices() -> None:
    """Title and text as GitHub Classroom's own reporter writes them."""
    last = commands(render(report(result(), result("LayerNorm.eps", "failed", 3))))[-2:]
    assert [(c.name, c.properties) for c in last] == [
        ("notice", {"title": "Autograding complete"}),
        ("notice", {"title": "Autograding report"}),
    ]
    assert last[0].data == "Points 2/5" and json.loads(last[1].data) == {"totalPoints": 2, "maxPoints": 5}


def test_full_marks_have_nothing_else() -> None:
    """Two notices and no error."""
    assert [c.name for c in commands(render(whole("passed")))] == ["notice", "notice"]


@pytest.mark.parametrize("status", STATUSES)
def test_there_are_nine_errors_at_most(status: Status) -> None:
    """GitHub shows ten of a kind per step; the rest is counted in one notice, by name."""
    found = commands(render(whole(status)))
    assert sum(c.name == "error" for c in found) <= 9 and sum(c.name == "notice" for c in found) <= 3


def test_the_rest_is_counted_by_name() -> None:
    """Each of the rubric's lines is named once, in an error or in the notice."""
    seen = whole("failed")
    found = commands(render(seen))
    rest = next(c for c in found if c.data.endswith(tuple(r.id for r in seen.results)) and c.name == "notice")
    assert rest.data.startswith(f"{len(seen.results) - 9} more did not pass: ")
    named = [c.properties["title"].partition(" ")[0] for c in found if c.name == "error"]
    assert sorted([*named, *rest.data.partition(": ")[2].split(", ")]) == sorted(r.id for r in seen.results)


def test_blocked_lines_are_no_errors() -> None:
    """They only wait; the notice counts them."""
    seen = report(result("LayerNorm.shape", "failed"), result("LayerNorm.eps", "blocked"))
    assert [c.properties["title"] for c in errors(seen)] == ["LayerNorm.shape (failed, 2 points)"]
    assert commands(render(seen))[1].data == "1 more did not pass: LayerNorm.eps"


def test_the_most_expensive_fault_comes_first() -> None:
    """Within what was begun, by points; what is still to do comes after it."""
    lines = [
        result("LayerNorm.eps", "todo", 9),
        result("LayerNorm.pure", "failed", 1),
        result("LayerNorm.shape", "died", 5),
    ]
    ids = [c.properties["title"].partition(" ")[0] for c in errors(report(*lines))]
    assert ids == ["LayerNorm.shape", "LayerNorm.pure", "LayerNorm.eps"]


def test_one_cause_is_one_annotation() -> None:
    """A stub has one annotation per component, a broken file one in all."""
    assert len(errors(whole("todo"))) == 4
    (only,) = errors(whole("unloadable", message="The file cannot be loaded."))
    assert f"and {len(RUBRIC) - 1} more, 100 points" in only.properties["title"]


@pytest.mark.parametrize(
    ("message", "line"),
    [
        ("LayerNorm(5) raised TypeError: no, at line 5: `pass`.", "5"),
        ("Not written yet (line 2): LayerNorm.forward raises NotImplementedError.", "2"),
        ("LayerNorm(5) raised TypeError: no, at line 500: `pass`.", "4"),
        ("LayerNorm(5) gave 1; expected 2.", "4"),
    ],
)
def test_an_annotation_stands_at_the_student_s_line(message: str, line: str) -> None:
    """The line of the fault where the message has one that is in the file, else the class."""
    (error,) = errors(report(result(status="failed", message=message), submission=FILE))
    assert error.properties["file"] == FILE.name and error.properties["line"] == line


@pytest.mark.parametrize("text", [None, "not python at all ((", "\x00", ""])
def test_without_a_place_only_the_file_is_named(text: str | None) -> None:
    """A file that cannot be read or has no such class."""
    (error,) = errors(report(result(status="failed"), submission=replace(FILE, text=text)))
    assert error.properties.keys() == {"file", "title"}


def test_a_notebook_has_no_lines() -> None:
    """The lines of its code are not those of the file."""
    (error,) = errors(report(result(status="failed"), submission=replace(FILE, name="a.ipynb")))
    assert "line" not in error.properties


def test_the_path_can_be_given() -> None:
    """The name of a hand-in says nothing of where it lies in the repository."""
    seen = report(result(status="failed"), submission=FILE)
    found = commands(render(seen, "a b/c,d:e%.py"))
    assert found[0].properties["file"] == "a b/c,d:e%.py"


def test_message_hint_and_claim_are_told() -> None:
    """Line by line in one annotation."""
    (error,) = errors(report(result(status="failed")))
    assert error.data.split("\n") == [
        "LayerNorm.shape says why.",
        "Claim: a vector in, a vector out.",
        "Hint: Look at it again.",
    ]


def test_a_hand_in_cannot_write_commands() -> None:
    """Every line of a hostile report is one of ours, even for a runner that splits at carriage returns."""
    text = render(hostile())
    text.encode("utf-8")
    found = commands(text)
    assert len(found) <= 12 and {c.name for c in found} == {"error", "notice"}
    assert [c.properties["title"] for c in found[-2:]] == ["Autograding complete", "Autograding report"]
    assert not any(char in text for char in "\x1b\x00\x07\u202e")


@pytest.mark.parametrize("trick", TRICKS)
def test_a_name_stays_a_property(trick: str) -> None:
    """Colons, commas, line ends and percent signs in a name are encoded."""
    (error,) = errors(report(result(status="failed"), submission=replace(FILE, name=f"{trick}.py")))
    assert error.properties["title"] == "LayerNorm.shape (failed, 2 points)" and error.properties["line"] == "4"


def test_a_long_message_is_cut() -> None:
    """An annotation holds some kilobytes; a log should not hold more either."""
    (error,) = errors(report(result(status="raised", message="x" * 50_000)))
    assert len(error.data) < 2_200 and "50,000 characters, cut here" in error.data
