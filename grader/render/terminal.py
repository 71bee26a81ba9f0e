"""The report for a terminal: what passed, what did not and why, and what to do next; 80 columns, ASCII if need be."""

from __future__ import annotations

import re
import textwrap
from dataclasses import dataclass

from grader.hints import steps
from grader.records import COMPONENTS, Report, Result

MARKS = {"passed": "✓", "failed": "✗", "todo": "·", "blocked": "…"}
ASCII_MARKS = {"passed": "+", "failed": "x", "todo": ".", "blocked": "-"}
COLOURS = {"passed": "32", "failed": "31", "todo": "33", "blocked": "2"}
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]")
_PLAIN = str.maketrans({"—": "-", "…": "...", "✓": "+", "✗": "x", "·": ".", "“": '"', "”": '"', "’": "'", "×": "x"})


@dataclass(frozen=True)
class Style:
    """What the terminal can show: columns, colour, characters beyond ASCII; and whether hints are wanted."""

    width: int = 80
    colour: bool = False
    unicode: bool = True
    hints: int = 0


def render(report: Report, style: Style = Style()) -> str:
    """The whole report as text that ends in a line break."""
    lines = []
    for component in COMPONENTS:
        results = report.of(component)
        if results:
            lines += [*_component(component, results, style), ""]
    for diagnosis in report.diagnoses:
        lines += _wrapped(f"{diagnosis.component}: {diagnosis.sentence}", "Likely cause  ", style)
    for notice in report.notices:
        where = f"{notice.component}: " if notice.component else ""
        lines += _wrapped(where + notice.text, "Notice  ", style)
    lines += _closing(report, style)
    return "\n".join(lines) + "\n"


def _component(name: str, results: tuple[Result, ...], style: Style) -> list[str]:
    score, most = sum(r.points for r in results), sum(r.max_points for r in results)
    title = name + f"{score}/{most}".rjust(style.width - 1 - len(name))
    lines = [_paint(title, "1", style)]
    if score == most:
        return [
            *lines,
            _paint(f"  {_mark('passed', style)} all {len(results)} checks passed", COLOURS["passed"], style),
        ]
    told: set[str] = set()
    for result in results:
        if result.status != "blocked":
            lines += _line(result, style)
            lines += _explained(result, told, style)
    return lines + _waiting(results, style)


def _explained(result: Result, told: set[str], style: Style) -> list[str]:
    """The message, once for each cause, and the hint if it is wanted."""
    if result.status == "passed" or result.message in told:
        return []
    first = not told
    told.add(result.message)
    lines = _wrapped(result.message, "      ", style) if first or result.status != "todo" else []
    for hint in steps(result.id, result.hint)[: style.hints]:
        lines += _wrapped(f"Hint: {hint}", "      ", style)
    return lines


def _waiting(results: tuple[Result, ...], style: Style) -> list[str]:
    """Blocked lines in brief: one for each cause."""
    lines = []
    for cause in dict.fromkeys(r.message for r in results if r.status == "blocked"):
        waiting = [r for r in results if r.status == "blocked" and r.message == cause]
        names = ", ".join(r.id.partition(".")[2] for r in waiting)
        points = f"0/{sum(r.max_points for r in waiting)}"
        lines += _row("blocked", points, f"{names}. {cause}", style)
    return lines


def _line(result: Result, style: Style) -> list[str]:
    points = f"{result.points}/{result.max_points}"
    return _row(result.status, points, f"{result.id.partition('.')[2]}: {result.claim}", style)


def _row(status: str, points: str, text: str, style: Style) -> list[str]:
    head = f"  {_mark(status, style)} {status:<10} {points:>4}  "
    lines = textwrap.wrap(_shown(head + text, style), style.width - 1, subsequent_indent=" " * 21)
    return [_paint(line, COLOURS.get(status, "31"), style) for line in lines]


def _mark(status: str, style: Style) -> str:
    return (MARKS if style.unicode else ASCII_MARKS).get(status, "!")


def _wrapped(text: str, indent: str, style: Style) -> list[str]:
    blank = " " * len(indent)
    return textwrap.wrap(_shown(text, style), style.width - 1, initial_indent=indent, subsequent_indent=blank)


def _closing(report: Report, style: Style) -> list[str]:
    score = f"Score {report.score}/{report.max_score}"
    what = f"{report.submission.name}, seed {report.seed}, {report.seconds:.1f} s"
    lines = _wrapped(what, f"{score}   ", style)
    lines[0] = _paint(score, "1;32" if report.score == report.max_score else "1", style) + lines[0][len(score) :]
    lost = [r for r in report.results if r.status not in ("passed", "blocked")]
    begun = [r for r in lost if r.status != "todo"]
    if lost:
        first = (begun or lost)[0]
        lines += _wrapped(f"{first.id}: {first.claim}.", "Next  ", style)
    return lines


def _paint(text: str, code: str, style: Style) -> str:
    return f"\x1b[{code}m{text}\x1b[0m" if style.colour else text


def _shown(text: str, style: Style) -> str:
    """Text without control characters (a hand-in's may steer the terminal), in ASCII where it must be."""
    text = _CONTROL.sub("?", text)
    return text if style.unicode else text.translate(_PLAIN).encode("ascii", "replace").decode("ascii")
