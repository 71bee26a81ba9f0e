"""The report for a terminal: what passed, what did not and why, and what to do next; 80 columns, ASCII if need be."""

from __future__ import annotations

import textwrap
from collections.abc import Collection

from grader.hints import steps
from grader.records import COMPONENTS, Report, Result
from grader.render.causes import next_line, next_step
from grader.render.screen import COLOURS, PLAIN, Style, mark, painted, shown, wrapped

NARROW = 60  # columns; below it there is no room for a column of text beside the status


def render(report: Report, style: Style = PLAIN) -> str:
    """The whole report as text that ends in a line break."""
    lines = _unloadable(report, style)
    several = len({result.component for result in report.results}) > 1
    brief = {"blocked", "unloadable"}
    if several:
        brief |= {"passed"} if style.hints else {"passed", "todo"}
    for component in COMPONENTS:
        if any(result.status != "unloadable" for result in report.of(component)):
            lines += [*_component(component, report.of(component), style, brief), ""]
    for diagnosis in report.diagnoses:
        lines += wrapped(f"{diagnosis.component}: {diagnosis.sentence}", "Likely cause  ", style)
    for notice in report.notices:
        where = f"{notice.component}: " if notice.component else ""
        lines += wrapped(where + notice.text, "Notice  ", style)
    lines += _closing(report, style)
    return "\n".join(lines) + "\n"


def _unloadable(report: Report, style: Style) -> list[str]:
    """Why nothing could be graded, once for all lines."""
    causes = dict.fromkeys(r.message for r in report.results if r.status == "unloadable")
    return [line for cause in causes for line in [*wrapped(cause, f"{mark('unloadable', style)} ", style), ""]]


def _component(name: str, results: tuple[Result, ...], style: Style, brief: Collection[str]) -> list[str]:
    score, most = sum(r.points for r in results), sum(r.max_points for r in results)
    title = name + f"{score}/{most}".rjust(style.width - 1 - len(name))
    lines = [painted(title, "1", style)]
    if score == most:
        return [
            *lines,
            painted(f"  {mark('passed', style)} all {len(results)} checks passed", COLOURS["passed"], style),
        ]
    passed = [result for result in results if result.status == "passed"]
    lines += _together(passed, "", style) if passed and "passed" in brief else []
    told: set[str] = set()
    for result in results:
        if result.status not in brief:
            lines += _line(result, style)
            lines += _explained(result, told, style)
    return lines + (_todo(results, style) if "todo" in brief else []) + _waiting(results, style)


def _explained(result: Result, told: set[str], style: Style) -> list[str]:
    """The message, once for each cause, and the hint if it is wanted."""
    if result.status == "passed" or result.message in told:
        return []
    first = not told
    told.add(result.message)
    lines = wrapped(result.message, "      ", style) if first or result.status != "todo" else []
    for hint in steps(result.id, result.hint)[: style.hints]:
        lines += wrapped(f"Hint: {hint}", "      ", style)
    return lines


def _todo(results: tuple[Result, ...], style: Style) -> list[str]:
    """What is still to do in brief, and how to begin."""
    group = [r for r in results if r.status == "todo"]
    return [*_together(group, "", style), *wrapped(group[0].message, "      ", style)] if group else []


def _waiting(results: tuple[Result, ...], style: Style) -> list[str]:
    """Blocked lines in brief: one for each cause."""
    waiting = [r for r in results if r.status == "blocked"]
    causes = dict.fromkeys(r.message for r in waiting)
    return [
        line for cause in causes for line in _together([r for r in waiting if r.message == cause], f". {cause}", style)
    ]


def _together(group: list[Result], rest: str, style: Style) -> list[str]:
    names = ", ".join(r.id.partition(".")[2] for r in group)
    points = f"{sum(r.points for r in group)}/{sum(r.max_points for r in group)}"
    return _row(group[0].status, points, names + rest, style)


def _line(result: Result, style: Style) -> list[str]:
    points = f"{result.points}/{result.max_points}"
    return _row(result.status, points, f"{result.id.partition('.')[2]}: {result.claim}", style)


def _row(status: str, points: str, text: str, style: Style) -> list[str]:
    head = f"  {mark(status, style)} {status:<9} {points:>5}  "
    indent = " " * (len(head) if style.width >= NARROW else 6)
    lines = textwrap.wrap(shown(head + text, style), style.width - 1, subsequent_indent=indent)
    return [painted(line, COLOURS.get(status, "31"), style) for line in lines]


def _closing(report: Report, style: Style) -> list[str]:
    score = f"Score {report.score}/{report.max_score}"
    what = f"{report.submission.name}, seed {report.seed}, {report.seconds:.1f} s"
    lines = wrapped(what, f"{score}   ", style)
    lines[0] = painted(score, "1;32" if report.score == report.max_score else "1", style) + lines[0][len(score) :]
    first = next_line(report)
    if first:
        lines += wrapped(next_step(first), "Next  ", style)
    return lines
