"""The report as one HTML page that needs nothing else: no script, no network, no font, no picture file."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from grader.hints import steps
from grader.records import Component, Report, Result
from grader.render import words
from grader.render.causes import next_line, next_step, totals
from grader.render.drawing import figures
from grader.render.ring import ring

MARKS = {"passed": "✓", "failed": "✗", "todo": "○", "blocked": "…"}
POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<link rel="icon" href="data:,">
<title>{title}</title>
<style>
{style}</style>
</head>
<body>
{header}<main>
{main}</main>
{footer}</body>
</html>
"""


def render(report: Report) -> str:
    """The whole page. Text of the hand-in is escaped, and what is invisible in it is spelled out."""
    main = _unloadable(report) + _table(report) + _likely(report)
    for name, *_ in totals(report):
        own = [picture for picture in report.pictures if picture.component == name]
        main += _component(report, name, figures([p for p in own if p.wrong]), figures([p for p in own if not p.wrong]))
    return PAGE.format(
        policy=POLICY,
        title=f"{report.score}/{report.max_score} {words.line(report.submission.name)}",
        style=style("page"),
        header=_header(report),
        main=main + _notices(report),
        footer=_footer(report),
    )


@cache
def style(*names: str) -> str:
    """The sheets of these names, one after the other."""
    return "".join(Path(__file__).with_name(f"{name}.css").read_text(encoding="utf-8") for name in names)


def _header(report: Report) -> str:
    first = next_line(report)
    if first is None:
        verdict = "<p>Full marks: every check passed.</p>"
    elif first.status == "unloadable":
        verdict = f"<p>Next: {next_step(first)}</p>"
    else:
        verdict = (
            f'<p>Next: <a href="#{words.line(first.id)}">{words.line(first.id)}</a>, {words.line(first.claim)}.</p>'
        )
    return (
        f"<header>\n{ring(report)}\n<div><h1>Multi-head attention and a transformer block</h1>\n"
        f"<p><bdi><code>{words.line(report.submission.name)}</code></bdi></p>\n{verdict}</div>\n</header>\n"
    )


def _unloadable(report: Report) -> str:
    """Why nothing could be graded, once for all lines."""
    reasons = dict.fromkeys(result.message for result in report.results if result.status == "unloadable")
    told = "".join(f'<p class="message">{words.prose(reason)}</p>\n' for reason in reasons)
    title = '<h2 id="unloadable">The file could not be loaded</h2>'
    return f'<section class="stop" aria-labelledby="unloadable">{title}\n{told}</section>\n' if told else ""


def _table(report: Report) -> str:
    rows = ""
    for name, score, most, passed, count in totals(report):
        width = 100 * score / (most or 1)
        rows += (
            f'<tr><th scope="row"><a href="#{name}">{name}</a></th>'
            f'<td class="share" aria-hidden="true"><svg viewBox="0 0 100 10" preserveAspectRatio="none">'
            f'<rect class="track" width="100" height="10"/><rect class="{name}" width="{width:.1f}" height="10"/>'
            f"</svg></td><td>{score} / {most}</td><td>{passed} of {count}</td></tr>\n"
        )
    return (
        '<section aria-labelledby="score"><h2 id="score">Score by component</h2>\n<table class="score"><thead><tr>'
        '<th scope="col">Component</th><td class="share"></td><th scope="col">Points</th><th scope="col">Checks</th>'
        f'</tr></thead>\n<tbody>{rows}</tbody>\n<tfoot><tr><th scope="row">Together</th><td class="share"></td>'
        f"<td>{report.score} / {report.max_score}</td><td></td></tr></tfoot></table>\n</section>\n"
    )


def _likely(report: Report) -> str:
    if not report.diagnoses:
        return ""
    told = "".join(
        f'<li><p><a href="#{d.component}">{d.component}</a>: {words.prose(d.sentence)}</p>\n'
        f"<details><summary>Hint</summary><p>{words.prose(d.hint)}</p></details></li>\n"
        for d in report.diagnoses
    )
    title = '<h2 id="likely">Likely causes</h2>'
    return f'<section class="likely" aria-labelledby="likely">{title}\n<ul>\n{told}</ul></section>\n'


def _component(report: Report, name: str, odd: list[str], fine: list[str]) -> str:
    score, most, passed, count = next(rest for n, *rest in totals(report) if n == name)
    component: Component = next(result.component for result in report.results if result.component == name)
    told: set[str] = set()
    lines = "".join(_check(result, told) for result in report.of(component))
    checks = f'<ol class="checks">\n{lines}</ol>\n'
    if passed == count:
        checks = _folded(f"All {count} checks passed", checks)
    elif all(result.status == "unloadable" for result in report.of(component)):
        checks = _folded(f"{count} checks wait for a file that loads", checks)
    if fine:
        odd = [*odd, f'<details class="rest"><summary>Pictures ({len(fine)})</summary>\n{"".join(fine)}</details>\n']
    return (
        f'<section id="{name}" aria-labelledby="{name}-title"><h2 id="{name}-title">{name} '
        f'<span class="points">{score} / {most}</span></h2>\n{checks}{"".join(odd)}</section>\n'
    )


def _folded(summary: str, alike: str) -> str:
    return f'<details class="alike"><summary>{summary}</summary>\n{alike}</details>\n'


def _check(result: Result, told: set[str]) -> str:
    """One line of the rubric. A message that was told before is not told again."""
    name = result.id.partition(".")[2]
    kind = result.status if result.status in MARKS else "raised"
    lines = (
        f'<li class="check {kind}" id="{words.line(result.id)}"><span class="mark" aria-hidden="true">'
        f"{MARKS.get(result.status, '!')}</span><div>\n<h3><code>{words.line(name)}</code> "
        f'<span class="status">{result.status}</span></h3>\n'
        f'<p class="points">{result.points} / {result.max_points}</p>\n'
        f'<p class="claim">{words.line(result.claim)}</p>\n'
    )
    if result.status not in ("passed", "blocked", "unloadable") and _reason(result) not in told:
        lines += f'<p class="message">{words.prose(result.message)}</p>\n'
        told.add(_reason(result))
    if result.status != "passed":
        lines += _hints(result, words.prose(result.message) if result.status == "blocked" else "Hint")
    return lines + "</div></li>\n"


def _hints(result: Result, summary: str) -> str:
    """Each hint folded within the one before it: a student may want to think first."""
    folded = ""
    first, *others = steps(result.id, result.hint)
    for hint in reversed(others):
        folded = f"<details><summary>Another hint</summary><p>{words.prose(hint)}</p>{folded}</details>\n"
    return f"<details><summary>{summary}</summary><p>{words.prose(first)}</p>{folded}</details>\n"


def _reason(result: Result) -> str:
    """What a message is told once for: what is still to do says no more than the claim does."""
    return result.status if result.status == "todo" else result.message


def _notices(report: Report) -> str:
    if not report.notices:
        return ""
    told = "".join(
        f"<li>{f'{n.component}: ' if n.component else ''}{words.prose(n.text)}</li>\n" for n in report.notices
    )
    return (
        '<section aria-labelledby="notices"><h2 id="notices">Notices</h2>\n<p>These cost no points.</p>\n'
        f"<ul>\n{told}</ul></section>\n"
    )


def _footer(report: Report) -> str:
    environment = report.environment
    first, *layers = environment.isolation or ("none",)
    facts = {
        "Graded by": f"grader {environment.grader}, Python {environment.python}, {environment.platform}",
        "Seed, time": f"{report.seed}, {report.seconds:.1f} s",
        "SHA-256": report.submission.sha256,
        "Isolation": first,
    }
    rows = "".join(f"<div><dt>{name}</dt><dd>{words.line(value)}</dd></div>\n" for name, value in facts.items())
    told = "".join(f"<li>{words.line(layer)}</li>\n" for layer in layers)
    more = f"<details><summary>Each layer of the isolation</summary><ul>\n{told}</ul></details>\n" if layers else ""
    return f'<footer aria-label="How it was graded">\n<dl>\n{rows}</dl>\n{more}</footer>\n'
