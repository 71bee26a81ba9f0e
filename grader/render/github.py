"""The report as GitHub workflow commands: annotations on the student's lines, and GitHub Classroom's two notices.

GitHub shows ten annotations of a kind per step and drops the rest without a word; so the most important come first
and the others are counted in a notice. Every line begins with a command of ours: nothing of a hand-in can.
"""

from __future__ import annotations

import json

from grader.records import Report
from grader.render.causes import Cause, causes, line_of
from grader.render.visible import cut, one_line, visible

ERRORS = 9
MESSAGE = 2_000


def render(report: Report, path: str | None = None) -> str:
    """Workflow commands, one a line. ``path`` is the hand-in's from the root of the repository, else its name."""
    file = path or report.submission.name
    found = causes(report)
    waiting = [cause for cause in found if cause.first.status == "blocked"]
    told = [cause for cause in found if cause.first.status != "blocked"]
    lines = [_error(cause, report, file) for cause in told[:ERRORS]]
    rest = [*told[ERRORS:], *waiting]
    if rest:
        count = sum(len(cause.results) for cause in rest)
        names = ", ".join(cause.names for cause in rest)
        lines.append(command("notice", f"{count} more did not pass: {names}", title="The rest is in the report"))
    totals = {"totalPoints": report.score, "maxPoints": report.max_score}
    lines.append(command("notice", f"Points {report.score}/{report.max_score}", title="Autograding complete"))
    lines.append(command("notice", json.dumps(totals, separators=(",", ":")), title="Autograding report"))
    return "\n".join(lines) + "\n"


def _error(cause: Cause, report: Report, file: str) -> str:
    first = cause.first
    more = len(cause.results) - 1
    title = f"{first.id} ({first.status}{f', and {more} more' if more else ''}, {cause.lost} points)"
    text = f"{cut(visible(first.message), MESSAGE)}\nClaim: {first.claim}."
    text += f"\nHint: {first.hint}" if first.hint else ""
    text += f"\nAlso: {', '.join(result.id for result in cause.results[1:])}" if more else ""
    line = line_of(first, report.submission)
    where = {"line": str(line)} if line else {}
    return command("error", visible(text), file=one_line(file), **where, title=title)


def command(name: str, message: str, **properties: str) -> str:
    """One workflow command, percent-encoded as the runner decodes it."""
    told = ",".join(f"{key}={_property(value)}" for key, value in properties.items() if value)
    return f"::{name} {told}::{_data(message)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
