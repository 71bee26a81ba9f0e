"""The report as JSON and as JUnit XML: the forms that other programs rely on."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any, get_args
from xml.etree import ElementTree as ET

import pytest

from grader.records import COMPONENTS, Diagnosis, Notice, Status
from grader.render import RENDERERS, json_form, junit
from grader.rubric import RUBRIC
from tests.observing import HAND_IN, report, result

STATUSES: tuple[Status, ...] = get_args(Status)
LINES = (
    result("LayerNorm.shape"),
    result("LayerNorm.eps", "failed", 3),
    result("LayerNorm.affine", "blocked", 3),
    result("FeedForward.shape", "todo"),
    result("FeedForward.values", "raised"),
)
DIAGNOSIS = Diagnosis("LayerNorm", "eps_outside", "eps is added outside the root.", "Where does eps belong?")
NOTICES = (Notice(None, "It printed."), Notice("LayerNorm", "It returns tuples."))
WHOLE = report(*LINES, diagnoses=(DIAGNOSIS,), notices=NOTICES)


def form() -> dict[str, Any]:
    """The JSON form, through its text."""
    read: dict[str, Any] = json.loads(json_form.render(WHOLE))
    return read


def test_json_has_the_documented_keys() -> None:
    """Version 1, key for key, in the documented order."""
    assert list(form()) == [
        "schema", "submission", "seed", "score", "max_score", "components", "results", "diagnoses", "notices",
        "environment", "seconds",
    ]  # fmt: skip


def test_json_numbers_are_the_report_s() -> None:
    """Schema, seed and totals; points are integers, seconds are not rounded."""
    read = form()
    numbers = [read[key] for key in ("schema", "seed", "score", "max_score", "seconds")]
    assert numbers == [1, 3, 2, 12, 0.75] and [type(number) for number in numbers] == [int, int, int, int, float]


def test_json_submission_has_name_and_digest_only() -> None:
    """The hand-in's text is not published with its marks."""
    assert form()["submission"] == {"name": HAND_IN.name, "sha256": HAND_IN.sha256}


def test_json_components_are_in_order_with_their_points() -> None:
    """Only those that were graded."""
    assert form()["components"] == [
        {"name": "LayerNorm", "score": 2, "max_score": 8},
        {"name": "FeedForward", "score": 0, "max_score": 4},
    ]


def test_json_results_have_the_documented_keys_and_types() -> None:
    """Every line of the rubric, in the rubric's order."""
    types = {
        "id": str, "component": str, "property": str, "claim": str, "status": str, "points": int, "max_points": int,
        "message": str, "hint": str, "seconds": float,
    }  # fmt: skip
    results = form()["results"]
    assert [list(line) for line in results] == [list(types)] * len(LINES)
    assert [{key: type(value) for key, value in line.items()} for line in results] == [types] * len(LINES)
    assert [line["id"] for line in results] == [line.id for line in LINES]


def test_json_diagnoses_and_notices() -> None:
    """A notice of no component has null there."""
    assert form()["diagnoses"] == [
        {
            "component": "LayerNorm",
            "misconception": "eps_outside",
            "sentence": DIAGNOSIS.sentence,
            "hint": DIAGNOSIS.hint,
        }
    ]
    assert form()["notices"] == [
        {"component": None, "text": "It printed."}, {"component": "LayerNorm", "text": "It returns tuples."}
    ]  # fmt: skip


def test_json_environment() -> None:
    """What graded, on what, behind which layers."""
    assert form()["environment"] == {
        "grader": "0.1.0", "python": "3.12.0", "platform": "Linux", "isolation": ["process"]
    }  # fmt: skip


def test_json_ends_with_a_line_break() -> None:
    """A file of lines, as tools expect."""
    assert json_form.render(WHOLE).endswith("}\n")


def suites(*results: Any, **rest: Any) -> ET.Element:
    """The parsed JUnit report."""
    return ET.fromstring(junit.render(report(*results, **rest)))


def counts(element: ET.Element) -> dict[str, int]:
    """The four counts of a suite."""
    return {name: int(element.attrib[name]) for name in ("tests", "failures", "errors", "skipped")}


def test_junit_has_a_suite_per_component_and_a_case_per_line() -> None:
    """GitLab shows suites and cases by name."""
    root = suites(*LINES)
    assert [suite.attrib["name"] for suite in root] == ["LayerNorm", "FeedForward"]
    assert [case.attrib["classname"] for case in root.iter("testcase")] == ["LayerNorm"] * 3 + ["FeedForward"] * 2
    assert root[0][0].attrib["name"] == "shape: a vector in, a vector out"


def test_junit_counts_are_right() -> None:
    """Failed is a failure; todo and blocked are skipped; raised is an error; in the suites and above them."""
    root = suites(*LINES)
    assert counts(root) == {"tests": 5, "failures": 1, "errors": 1, "skipped": 2}
    assert counts(root[0]) == {"tests": 3, "failures": 1, "errors": 0, "skipped": 1}


@pytest.mark.parametrize("status", STATUSES)
def test_junit_knows_every_status(status: Status) -> None:
    """A passed case is empty, every other says its status and its message once."""
    (case,) = suites(result(status=status)).iter("testcase")
    troubles = [child for child in case if child.tag != "properties"]
    assert len(troubles) == (status != "passed")
    assert all(child.attrib["message"] == f"{status}: LayerNorm.shape says why." for child in troubles)
    assert all("Hint: Look at it again." in (child.text or "") for child in troubles)


def test_junit_properties_have_the_points() -> None:
    """Points and status of each case, for whoever adds them up."""
    (case,) = suites(LINES[1]).iter("testcase")
    found = {p.attrib["name"]: p.attrib["value"] for p in case.iter("property")}
    assert found == {"points": "0", "max_points": "3", "status": "failed"}


@pytest.mark.parametrize("text", ["\x00", "\x1b[2J", "\x08", "\ud800", "\uffff", "\x0b"])
def test_junit_replaces_what_xml_cannot_hold(text: str) -> None:
    """Control characters and surrogates from a hand-in do not break the file, in no place."""
    odd = result(status="raised", message=f"a{text}b", claim=f"c{text}d", hint=f"e{text}f")
    written = junit.render(report(odd, submission=replace(HAND_IN, name=f"x{text}.py")))
    written.encode("utf-8")
    (case,) = ET.fromstring(written).iter("testcase")
    assert "a\ufffd" in case[-1].attrib["message"]


def test_junit_escapes_markup() -> None:
    """A message that looks like XML stays a message."""
    odd = result(status="failed", message='</failure><x a="1">&amp; \u00e9 ]]>')
    (case,) = suites(odd).iter("testcase")
    assert case[-1].attrib["message"] == f"failed: {odd.message}"


def test_junit_declares_the_encoding_it_is_written_in() -> None:
    """Files are written as UTF-8, wherever they are written."""
    assert "encoding='utf-8'" in junit.render(WHOLE).lower().partition("\n")[0]


@pytest.mark.parametrize("name", RENDERERS)
def test_renderers_change_nothing(name: str) -> None:
    """The same report gives the same text."""
    assert RENDERERS[name](WHOLE) == RENDERERS[name](WHOLE)


@pytest.mark.parametrize("name", RENDERERS)
def test_renderers_take_a_whole_rubric(name: str) -> None:
    """Every line's id is found in the text, or its name beside its component."""
    lines = [result(c.id, "failed", c.points, claim=c.claim, hint=c.hint, property=c.property) for c in RUBRIC]
    text = RENDERERS[name](report(*lines))
    assert all(component in text for component in COMPONENTS)
    assert all(check.name in text for check in RUBRIC)
