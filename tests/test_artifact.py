"""What a run on a pull request left is data by a stranger: a report is shown as it is, or there is none."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from grader import __version__
from grader.artifact import MOST, report_in
from grader.forms import BadForm
from grader.records import Environment, Notice
from grader.render import json_form
from tests.hostile import EVERYTHING, whole
from tests.observing import HAND_IN

ENVIRONMENT = Environment(__version__, "3.12.0", "Linux", ("files", "landlock: on"))
HONEST = replace(
    whole("failed"), seed=0, environment=ENVIRONMENT, notices=(Notice("LayerNorm", EVERYTHING.replace("\ud800", "")),)
)


def zipped(text: str | bytes, name: str = "report.json", **more: str | bytes) -> bytes:
    """An artifact as GitHub hands it out."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, content in {name: text, **more}.items():
            archive.writestr(path, content)
    return packed.getvalue()


def artifact(change: Callable[[dict[str, Any]], object] = lambda form: None) -> bytes:
    """The honest report with this change of its JSON."""
    form = json.loads(json_form.render(HONEST))
    change(form)
    return zipped(json.dumps(form))


def test_an_honest_report_comes_back() -> None:
    """Equal to the last field; other files beside it do not matter."""
    assert report_in(zipped(json_form.render(HONEST), **{"junit.xml": "<a/>"}), HAND_IN) == HONEST


def passed(form: dict[str, Any]) -> None:
    """A forged pass, and totals that fit it."""
    form["results"][0] |= {"status": "passed", "points": 3, "message": "", "hint": ""}
    form["components"][0]["score"] = form["score"] = 3


def test_what_the_report_can_say_is_believed_no_further_than_that() -> None:
    """A line that passed is the run's word: this is why a change of the workflow is never read. It has to be whole."""
    assert report_in(artifact(passed), HAND_IN).score == 3


FORGED: dict[str, Callable[[dict[str, Any]], object]] = {
    "a score": lambda f: f.update(score=100),
    "a maximum": lambda f: f.update(max_score=1),
    "a component's score": lambda f: f["components"][0].update(score=40),
    "a component": lambda f: f["components"].append({"name": "Extra", "score": 9, "max_score": 9}),
    "points for a lost line": lambda f: f["results"][0].update(points=3),
    "more points": lambda f: f["results"][0].update(points=1000, max_points=1000),
    "negative points": lambda f: f["results"][0].update(points=-3, max_points=-3),
    "points that are no number": lambda f: f["results"][0].update(points="3"),
    "a fraction": lambda f: f["results"][0].update(points=0.0),
    "a truth value": lambda f: f["results"][0].update(points=False),
    "a passed line without its points": lambda f: f["results"][0].update(status="passed"),
    "a status": lambda f: f["results"][0].update(status="excellent"),
    "a claim": lambda f: f["results"][0].update(claim="<b>right</b>"),
    "a hint": lambda f: f["results"][0].update(hint="Mail your password to ..."),
    "a line's name": lambda f: f["results"][0].update(id="MultiHeadAttention.<img>"),
    "a line less": lambda f: f["results"].pop(),
    "a line more": lambda f: f["results"].append(f["results"][0]),
    "no lines": lambda f: f.update(results=[]),
    "another order": lambda f: f["results"].reverse(),
    "a key more": lambda f: f.update(pull_request=1),
    "a key more in a line": lambda f: f["results"][0].update(x=1),
    "a key less": lambda f: f.pop("seed"),
    "no notices": lambda f: f.pop("notices"),
    "another seed": lambda f: f.update(seed=1),
    "another hand-in": lambda f: f["submission"].update(sha256="1" * 64),
    "another name": lambda f: f["submission"].update(name="<script>"),
    "another version": lambda f: f["environment"].update(grader="9.9.9"),
    "a notice with a tag for a component": lambda f: f["notices"][0].update(component="<b>"),
    "a heap of notices": lambda f: f.update(notices=f["notices"] * 30),
    "a heap of layers": lambda f: f["environment"].update(isolation=["x"] * 99),
    "text that is no text": lambda f: f["results"][0].update(message="\ud800"),
    "endless seconds": lambda f: f.update(seconds=1e999),
    "another schema": lambda f: f.update(schema=2),
    "nothing graded": lambda f: (
        f.clear(),
        f.update(schema=1, ungraded={"kind": "refused", "file": "", "reasons": []}),
    ),
}


@pytest.mark.parametrize("name", FORGED)
def test_a_forged_report_is_none(name: str) -> None:
    """One value that does not fit is enough."""
    with pytest.raises(BadForm):
        report_in(artifact(FORGED[name]), HAND_IN)


BROKEN: dict[str, bytes] = {
    "nothing": b"",
    "no zip": b"PK\x03\x04 no",
    "an empty zip": zipped(b"", "other.json"),
    "a path": zipped(json_form.render(HONEST), "../report.json"),
    "no JSON": zipped(b"\xff\xfe"),
    "a list": zipped("[]"),
    "deep": zipped("[" * 100_000),
    "NaN": zipped('{"schema": NaN}'),
    "a long number": zipped('{"schema": ' + "9" * 10_000 + "}"),
    "a bomb": zipped(b" " * 20_000_000),
    "huge": b"P" * (MOST + 1),
    "a damaged member": zipped(json_form.render(HONEST)).replace(b"\x08\x00", b"\x63\x00"),
    "a cut zip": zipped(json_form.render(HONEST))[:-30],
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_artifact_is_no_report(name: str) -> None:
    """Whatever it is, one exception says so; a bomb is read up to the limit."""
    with pytest.raises(BadForm):
        report_in(BROKEN[name], HAND_IN)
