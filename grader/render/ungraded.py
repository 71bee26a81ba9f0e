"""That nothing was graded, and why: as text, Markdown, workflow commands, JUnit XML and JSON."""

from __future__ import annotations

import json
from collections.abc import Callable
from xml.etree import ElementTree as ET

from grader.forms import to_form
from grader.records import Reason, Ungraded
from grader.render.github import command
from grader.render.json_form import SCHEMA
from grader.render.junit import clean
from grader.render.markdown import code, plain
from grader.render.visible import cut, one_line, visible

TITLE = {
    "refused": "Refused: nothing was graded",
    "broken": "Nothing was graded, and that is not the hand-in's fault",
    "unread": "There is no report to show",
}
LENGTH = 500  # characters of a path or of a finding


def text(ungraded: Ungraded) -> str:
    """Lines for a log, of which none begins with the text of a pull request."""
    lines = [f"{TITLE[ungraded.kind]}. {_rule(ungraded)}".strip()]
    for reason in ungraded.reasons:
        lines.append(f"  - {_told(reason)}")
        lines += [f"    {_line(reason.fix)} {_line(reason.command)}".rstrip()] if reason.fix else []
    return "\n".join(lines) + "\n"


def markdown(ungraded: Ungraded) -> str:
    """For a step summary or a comment."""
    sign = "⛔" if ungraded.kind == "refused" else "⚠️"
    lines = [f"## {sign} {TITLE[ungraded.kind]}", "", *([plain(_rule(ungraded)), ""] if _rule(ungraded) else [])]
    for reason in ungraded.reasons:
        path = f"{code(reason.path, LENGTH)} " if reason.path else ""
        fix = f" {plain(reason.fix)}" if reason.fix else ""
        command_line = f" {code(reason.command, LENGTH)}" if reason.command else ""
        lines.append(f"- {path}{plain(reason.found)}.{fix}{command_line}")
    return "\n".join(lines) + "\n"


def github(ungraded: Ungraded) -> str:
    """One error; the file is named where the reason is about the hand-in itself."""
    first = {"file": ungraded.file} if any(reason.path == ungraded.file for reason in ungraded.reasons) else {}
    return command("error", visible(text(ungraded)), **first, title=TITLE[ungraded.kind]) + "\n"


def junit(ungraded: Ungraded) -> str:
    """One case, in error: a change that is not graded has not passed."""
    counts = {"tests": "1", "failures": "0", "errors": "1", "skipped": "0"}
    root = ET.Element("testsuites", counts, name="transformer block")
    suite = ET.SubElement(root, "testsuite", counts, name="pull request")
    case = ET.SubElement(suite, "testcase", classname="pull request", name="can be graded", file=clean(ungraded.file))
    ET.SubElement(case, "error", message=TITLE[ungraded.kind]).text = clean(text(ungraded))
    ET.indent(root)
    return ET.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def as_json(ungraded: Ungraded) -> str:
    """The record under one key, in place of a report: there is no score."""
    form = {"schema": SCHEMA, "ungraded": to_form(ungraded)}
    return json.dumps(form, indent=2) + "\n"


RENDERERS: dict[str, Callable[[Ungraded], str]] = {"json": as_json, "junit": junit, "markdown": markdown}


def _rule(ungraded: Ungraded) -> str:
    return f"Only {_line(ungraded.file)} may change, and it must be a file." if ungraded.kind == "refused" else ""


def _told(reason: Reason) -> str:
    return f"{_line(reason.path)} {_line(reason.found)}.".strip()


def _line(told: str) -> str:
    return cut(one_line(told), LENGTH)
