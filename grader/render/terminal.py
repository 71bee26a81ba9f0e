"""The report for a terminal: what passed, what did not and why, and what to do next; 80 columns, ASCII if need be."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass

from grader.records import COMPONENTS, Report, Result

MARKS = {"passed": "✓", "failed": "✗", "todo": "·", "blocked": "…"}
ASCII_MARKS = {"passed": "+", "failed": "x", "todo": ".", "blocked": "-"}
COLOURS = {"passed": "32", "failed": "31", "todo": "33", "blocked": "2"}
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
    text = "\n".join(lines) + "\n"
    return text if style.unicode else _ascii(text)


def _component(name: str, results: tuple[Result, ...], style: Style) -> list[str]:
    score, most = sum(r.points for r in results), sum(r.max_points for r in results)
    title = name + f"{score}/{most}".rjust(style.width - 1 - len(name))
    lines = [_paint(title, "1", style)]
    if score == most:
        mark = (MARKS if style.unicode else ASCII_MARKS)["passed"]
        return [*lines, _paint(f"  {mark} all {len(results)} checks passed", COLOURS["passed"], style)]
    told: set[str] = set()
    for result in results:
        lines += _line(result, style)
        if result.status != "passed" and result.status != "blocked" and result.message not in told:
            told.add(result.message)
            text = result.message if result.status != "todo" or len(told) == 1 else ""
            lines += _wrapped(text, "      ", style) if text else []
            lines += _wrapped(f"Hint: {result.hint}", "      ", style) if style.hints else []
    return lines


def _line(result: Result, style: Style) -> list[str]:
    mark = (MARKS if style.unicode else ASCII_MARKS).get(result.status, "!")
    name = result.id.partition(".")[2]
    waits = f" ({result.message.split(',')[0].replace('Waits', 'waits')})" if result.status == "blocked" else ""
    points = f"{result.points}/{result.max_points}"
    head = f"  {mark} {result.status:<10} {points:>4}  {name}: "
    lines = textwrap.wrap(head + result.claim + waits, style.width - 1, subsequent_indent=" " * 21) or [head]
    return [_paint(line, COLOURS.get(result.status, "31"), style) for line in lines]


def _wrapped(text: str, indent: str, style: Style) -> list[str]:
    blank = " " * len(indent)
    return textwrap.wrap(text, style.width - 1, initial_indent=indent, subsequent_indent=blank) or []


def _closing(report: Report, style: Style) -> list[str]:
    lost = [r for r in report.results if r.status not in ("passed", "blocked")]
    head = f"Score {report.score}/{report.max_score}"
    lines = [_paint(head, "1;32" if report.score == report.max_score else "1", style)]
    lines[0] += f"   {report.submission.name}, seed {report.seed}, {report.seconds:.1f} s"
    begun = [r for r in lost if r.status != "todo"]
    if lost:
        first = (begun or lost)[0]
        lines += _wrapped(f"{first.id}: {first.claim}.", "Next  ", style)
    return lines


def _paint(text: str, code: str, style: Style) -> str:
    return f"\x1b[{code}m{text}\x1b[0m" if style.colour else text


def _ascii(text: str) -> str:
    return text.translate(_PLAIN).encode("ascii", "replace").decode("ascii")
