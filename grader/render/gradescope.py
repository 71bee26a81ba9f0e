"""The report as Gradescope's results.json, by the fields that its autograder specification lists."""

from __future__ import annotations

import json
from collections.abc import Mapping
from math import ceil
from typing import Any, Literal

from grader.records import COMPONENTS, GraderFault, Report, Result, UsageError
from grader.render.visible import cut, one_line, visible

Visibility = Literal["hidden", "after_due_date", "after_published", "visible"]

TEXT = 10_000
BEGUN = (
    "Grading has begun and has not ended. If you read this, the grader was stopped before its verdict: "
    "that is not your hand-in's fault, and 0 is not your mark. Submit again, or tell your instructor."
)


def render(report: Report, tiers: Mapping[str, Visibility] | None = None) -> str:
    """results.json; ``tiers`` hides by id, property or component (the first of these that is named), else visible.

    There is no score beside those of the tests, so that there are not two totals; and no leaderboard.
    """
    return _dump(_form(report, tiers or {}))


def unfinished(report: Report, tiers: Mapping[str, Visibility], kept: float) -> str:
    """The lines so far, for the case that the rest never comes; then a score of ``kept`` or more stands."""
    form = _form(report, tiers)
    form["output"] = visible(f"{BEGUN}\n\n{report.submission.name}")
    form["extra_data"]["finished"] = False
    return _dump({"score": max(kept, report.score), **form})


def _form(report: Report, tiers: Mapping[str, Visibility]) -> dict[str, Any]:
    tests = [_test(result, number, tiers) for number, result in _numbered(report)]
    return {
        "execution_time": ceil(report.seconds),
        "output": _output(report, tiers),
        "output_format": "text",
        "test_output_format": "text",
        "test_name_format": "text",
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "extra_data": {
            "finished": True,
            "score": report.score,
            "max_score": report.max_score,
            "seed": report.seed,
            "sha256": report.submission.sha256,
            "grader": report.environment.grader,
            "isolation": list(report.environment.isolation),
        },
        "tests": tests,
    }


def placeholder(text: str = BEGUN, score: float = 0) -> str:
    """A results.json that is valid from the first second, for the case that nothing better comes.

    Gradescope takes no file without a score; ``score`` is one that the student had before.
    """
    return _dump(
        {
            "score": score,
            "output": visible(text),
            "output_format": "text",
            "visibility": "visible",
            "stdout_visibility": "hidden",
            "extra_data": {"finished": False},
            "tests": [],
        }
    )


def said_of_fault(error: Exception, kept: float) -> str:
    """What a student reads when the grader broke; only what was meant to be read tells more than its kind."""
    what = str(error) if isinstance(error, (GraderFault, UsageError)) else type(error).__name__
    mark = f"Your score stays at {kept:g}, that of your last submission" if kept else "The score of 0 is no mark"
    return f"Nothing was graded, and that is not your hand-in's fault. {mark}. Tell your instructor: {what}"


def _numbered(report: Report) -> list[tuple[str, Result]]:
    """Each result with its place: 2.3 is the third of the second component."""
    return [
        (f"{c}.{k}", result)
        for c, component in enumerate(COMPONENTS, 1)
        for k, result in enumerate(report.of(component), 1)
    ]


def _test(result: Result, number: str, tiers: Mapping[str, Visibility]) -> dict[str, Any]:
    return {
        "score": result.points,
        "max_score": result.max_points,
        "status": "passed" if result.status == "passed" else "failed",
        "name": one_line(f"{result.id}: {result.claim}"),
        "number": number,
        "output": _said(result),
        "tags": [result.component, result.property, result.status],
        "visibility": _tier(result, tiers),
    }


def _tier(result: Result, tiers: Mapping[str, Visibility]) -> Visibility:
    for key in (result.id, result.property, result.component):
        if key in tiers:
            return tiers[key]
    return "visible"


def _said(result: Result) -> str:
    if result.status == "passed":
        return ""
    hint = f"\n\nHint: {visible(result.hint)}" if result.hint else ""
    return f"{result.status}: {cut(visible(result.message), TEXT)}{hint}"


def _output(report: Report, tiers: Mapping[str, Visibility]) -> str:
    """What concerns the whole hand-in; a component of which anything is hidden keeps its likely cause to itself."""
    shown = {c for c in COMPONENTS if all(_tier(result, tiers) == "visible" for result in report.of(c))}
    likely = [d for d in report.diagnoses if d.component in shown]
    lines = [
        one_line(report.submission.name),  # not the seed, which may be private: it is in extra_data
        *(f"Likely cause in {d.component}: {d.sentence}\n{d.hint}" for d in likely),
        *(f"Notice: {f'{n.component}: ' if n.component else ''}{n.text}" for n in report.notices),
    ]
    return cut(visible("\n\n".join(lines)), TEXT)


def _dump(form: dict[str, Any]) -> str:
    return json.dumps(form, indent=2) + "\n"
