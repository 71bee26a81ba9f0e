"""The report as Gradescope's results.json, checked field by field against the documented list."""

from __future__ import annotations

import json
from typing import Any

import pytest

from grader.records import Diagnosis, Notice, Report, Status
from grader.render.gradescope import Visibility, placeholder, render
from tests.hostile import STATUSES, hostile, whole
from tests.observing import report, result

NUMBER, FORMATS = (int, float), ("text", "html", "simple_format", "md", "ansi")
SEEN = ("hidden", "after_due_date", "after_published", "visible")
# gradescope-autograders.readthedocs.io, "Autograder Specifications": every documented field and what it may hold.
TOP: dict[str, Any] = {
    "score": NUMBER, "execution_time": NUMBER, "output": str, "output_format": FORMATS,
    "test_output_format": FORMATS, "test_name_format": FORMATS, "visibility": SEEN, "stdout_visibility": SEEN,
    "extra_data": dict, "tests": list, "leaderboard": list,
}  # fmt: skip
TEST: dict[str, Any] = {
    "score": NUMBER, "max_score": NUMBER, "status": ("passed", "failed"), "name": str, "name_format": FORMATS,
    "number": str, "output": str, "output_format": FORMATS, "tags": list, "visibility": SEEN, "extra_data": dict,
}  # fmt: skip


def faults(form: Any, fields: dict[str, Any], where: str = "") -> list[str]:
    """What is not as documented: unknown fields, wrong types, values that are not in the list."""
    if not isinstance(form, dict):
        return [f"{where}: no object"]
    found = [f"{where}.{key}: unknown" for key in form.keys() - fields.keys()]
    for key in form.keys() & fields.keys():
        allowed, value = fields[key], form[key]
        words = isinstance(allowed, tuple) and isinstance(allowed[0], str)
        fits = value in allowed if words else isinstance(value, allowed) and not isinstance(value, bool)
        found += [] if fits else [f"{where}.{key}: {value!r}"]
    return found


def valid(text: str) -> dict[str, Any]:
    """The parsed results.json, if it is as documented."""
    form: dict[str, Any] = json.loads(text, parse_constant=lambda name: pytest.fail(f"{name} is no JSON"))
    found = faults(form, TOP)
    tests = form.get("tests", [])
    for k, test in enumerate(tests):
        found += faults(test, TEST, f"tests[{k}]")
        found += [f"tests[{k}].tags: {tag!r}" for tag in test.get("tags", []) if not isinstance(tag, str)]
    assert found == []
    assert "score" in form or (tests and all("score" in test for test in tests)), "a score is missing"
    return form


@pytest.mark.parametrize("status", STATUSES)
def test_every_status_is_valid(status: Status) -> None:
    """Gradescope knows passed and failed only; ours stands in the output and the tags."""
    tests = valid(render(whole(status)))["tests"]
    assert {test["status"] for test in tests} == {"passed" if status == "passed" else "failed"}
    assert all(test["tags"][-1] == status for test in tests)


def test_the_checker_finds_faults() -> None:
    """What validates here does not validate everything."""
    assert faults({"score": "1", "extra": 1, "visibility": "no"}, TOP) != []
    with pytest.raises(AssertionError, match="score is missing"):
        valid('{"tests": []}')


def test_points_add_up_to_the_report_s() -> None:
    """There is one total: the sum of the tests."""
    seen = report(result(), result("LayerNorm.eps", "failed", 3), result("FeedForward.shape", points=4))
    form = valid(render(seen))
    assert "score" not in form
    assert sum(test["score"] for test in form["tests"]) == seen.score == form["extra_data"]["score"]
    assert sum(test["max_score"] for test in form["tests"]) == seen.max_score


def test_tests_are_numbered_by_component() -> None:
    """The list is in the rubric's order, and each test says which part it belongs to."""
    tests = valid(render(whole()))["tests"]
    assert [test["number"] for test in tests[:2]] == ["1.1", "1.2"] and tests[-1]["number"][:2] == "4."
    assert tests[0]["name"].startswith("MultiHeadAttention.shape: ")
    assert tests[0]["tags"] == ["MultiHeadAttention", "shape", "failed"]


def test_a_lost_test_has_message_and_hint() -> None:
    """A passed one needs no words."""
    passed, failed = valid(render(report(result(), result("LayerNorm.eps", "raised", 3))))["tests"]
    assert passed["output"] == ""
    assert failed["output"] == "raised: LayerNorm.eps says why.\n\nHint: Look at it again."


def test_all_text_is_plain() -> None:
    """Nothing of a hand-in is read as HTML, Markdown or escapes for a terminal."""
    text = render(hostile())
    form = valid(text)
    assert {form[key] for key in form if key.endswith("_format")} == {"text"}
    assert text.isascii() and "\\u001b" not in text and "\\u202e" not in text and "\\ud800" not in text


def test_everything_is_visible_unless_told_otherwise() -> None:
    """The default hides nothing from the student, but for the instructor's log."""
    form = valid(render(whole()))
    assert {test["visibility"] for test in form["tests"]} == {"visible"} and form["visibility"] == "visible"
    assert form["stdout_visibility"] == "hidden"


@pytest.mark.parametrize(
    ("tiers", "expected"),
    [
        ({"LayerNorm.eps": "hidden"}, ["visible", "hidden", "visible"]),
        ({"LayerNorm": "after_published"}, ["after_published", "after_published", "visible"]),
        ({"values": "after_due_date", "LayerNorm": "hidden"}, ["hidden", "after_due_date", "visible"]),
    ],
)
def test_tiers_hide_by_id_property_or_component(tiers: dict[str, Visibility], expected: list[str]) -> None:
    """The most specific name wins."""
    seen = report(result(), result("LayerNorm.eps", "failed", property="values"), result("FeedForward.shape"))
    assert [test["visibility"] for test in valid(render(seen, tiers))["tests"]] == expected


def test_what_is_hidden_is_not_told_in_the_output() -> None:
    """A likely cause would give away what a hidden test found."""
    told = tuple(Diagnosis(name, "m", f"{name} is odd.", "Look.") for name in ("LayerNorm", "FeedForward"))
    seen = report(result(), result("FeedForward.shape", "failed"), diagnoses=told)  # type: ignore[arg-type]
    output = valid(render(seen, {"FeedForward.shape": "hidden"}))["output"]
    assert "LayerNorm is odd." in output and "FeedForward is odd." not in output


def test_notices_and_causes_are_told() -> None:
    """They concern the whole hand-in."""
    told = (Diagnosis("LayerNorm", "m", "It is odd.", "Look."),)
    output = valid(render(report(result(), diagnoses=told, notices=(Notice(None, "Printed."),))))["output"]
    assert "Likely cause in LayerNorm: It is odd.\nLook." in output and "Notice: Printed." in output


def test_there_is_no_leaderboard() -> None:
    """Marks are the student's own."""
    assert "leaderboard" not in valid(render(whole("passed")))


def test_the_time_is_in_whole_seconds() -> None:
    """Never less than it was."""
    assert valid(render(report(result())))["execution_time"] == 1


def test_the_placeholder_is_valid_and_is_no_mark() -> None:
    """If the grader is stopped there is a valid file, and it says whose fault that is not."""
    form = valid(placeholder())
    assert form["tests"] == [] and form["extra_data"] == {"finished": False}
    assert "not your hand-in's fault" in form["output"]


def test_the_placeholder_can_say_more() -> None:
    """What went wrong, for the instructor, made harmless as all text."""
    assert valid(placeholder("no\x1b memory"))["output"] == "no[U+001B] memory"


def test_a_partial_report_is_valid() -> None:
    """The file may be written anew after each check."""
    seen: Report = report(result())
    assert len(valid(render(seen))["tests"]) == 1
