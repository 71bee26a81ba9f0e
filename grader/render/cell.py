"""The report below a cell of a notebook: an HTML fragment that takes its colours from the page it stands in."""

from __future__ import annotations

from html import escape

from grader.records import COMPONENTS, Report, Result
from grader.render.visible import cut, one_line, visible

MARKS = {"passed": "✓", "failed": "✗", "todo": "○", "blocked": "…"}
MESSAGE = 2_000
_CELL = "text-align: left; vertical-align: top; padding: .15em .6em; white-space: nowrap"
_WIDE = "text-align: left; vertical-align: top; padding: .15em .6em; white-space: normal; max-width: 46em"


def render(report: Report) -> str:
    """What is right, what is not and why, and a hint that opens; text of the hand-in is escaped."""
    told: set[str] = set()
    parts = ""
    for component in COMPONENTS:
        results = report.of(component)
        lost = [result for result in results if result.status != "passed"]
        parts += _title(component, results) if results else ""
        rows = "".join(_row(result, told) for result in lost)
        parts += f"<table>\n{rows}</table>\n" if rows else ""
    for diagnosis in report.diagnoses:
        parts += f"<p>Likely cause: {_text(diagnosis.sentence)}</p>\n"
    for notice in report.notices:
        parts += f"<p>Notice: {_text(notice.text)}</p>\n"
    return f'<div lang="en">\n{parts}</div>'


def _title(name: str, results: tuple[Result, ...]) -> str:
    points = f"{sum(r.points for r in results)} of {sum(r.max_points for r in results)} points"
    passed = sum(r.status == "passed" for r in results)
    return f"<p><strong>{name}: {points}</strong>, {passed} of {len(results)} checks passed</p>\n"


def _row(result: Result, told: set[str]) -> str:
    """One line that did not pass. What was said before is not said again; what is still to do is said once."""
    name = result.id.partition(".")[2]
    reason = result.status if result.status == "todo" else result.message
    more = f"<br>{_text(result.message)}" if reason not in told else ""
    told.add(reason)
    if result.status not in ("todo", "blocked"):
        more += f"<details><summary>Hint</summary>{_text(result.hint)}</details>"
    return (
        f'<tr><td style="{_CELL}">{MARKS.get(result.status, "!")} {result.status}</td>'
        f'<td style="{_CELL}">{result.points}/{result.max_points}</td>'
        f'<td style="{_CELL}"><code>{_text(name)}</code></td>'
        f'<td style="{_WIDE}">{_text(result.claim)}{more}</td></tr>\n'
    )


def _text(text: str) -> str:
    return escape(cut(one_line(visible(text)), MESSAGE))
