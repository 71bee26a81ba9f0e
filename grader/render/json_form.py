"""The report as JSON, version 1: the form that other tools rely on."""

from __future__ import annotations

import json
from typing import Any

from grader.forms import to_form
from grader.records import COMPONENTS, Report

SCHEMA = 1


def form(report: Report) -> dict[str, Any]:
    """The report as plain values, keys in the documented order."""
    components = []
    for name in COMPONENTS:
        results = report.of(name)
        if results:
            score, most = sum(r.points for r in results), sum(r.max_points for r in results)
            components.append({"name": name, "score": score, "max_score": most})
    return {
        "schema": SCHEMA,
        "submission": {"name": report.submission.name, "sha256": report.submission.sha256},
        "seed": report.seed,
        "score": report.score,
        "max_score": report.max_score,
        "components": components,
        "results": [to_form(result) for result in report.results],
        "diagnoses": [to_form(diagnosis) for diagnosis in report.diagnoses],
        "notices": [to_form(notice) for notice in report.notices],
        "environment": to_form(report.environment),
        "seconds": report.seconds,
    }


def render(report: Report) -> str:
    """The report as indented JSON that ends in a line break."""
    return json.dumps(form(report), indent=2, ensure_ascii=False) + "\n"
