"""Tables on the page of a class: what became of each check, and everyone with what they lost."""

from __future__ import annotations

from collections.abc import Sequence

from grader.class_results import ClassResults, Student
from grader.render import words
from grader.render.class_figures import FATES, Toll, columns, fate, tolls

FIRST = 10  # checks, misconceptions, notices that are shown at once
FEW = 6  # names that are shown at once


def names(found: Sequence[str]) -> str:
    """Who it is; many are folded away."""
    every = [f"<bdi>{words.line(name)}</bdi>" for name in found]
    if len(found) <= FEW:
        return f'<p class="who">{", ".join(every)}</p>\n'
    summary = f"{', '.join(every[: FEW - 2])} and {len(every) - FEW + 2:,} more"
    return f'<details class="who"><summary>{summary}</summary><p>{", ".join(every[FEW - 2 :])}</p></details>\n'


def folded(tag: str, items: Sequence[str], first: int, summary: str) -> str:
    """A list of counted things; those after the ``first`` are folded away."""
    lists = [f'<{tag} class="counted">\n{"".join(part)}</{tag}>\n' for part in (items[:first], items[first:]) if part]
    return lists[0] + "".join(f"<details><summary>{summary}</summary>\n{rest}</details>\n" for rest in lists[1:])


def checks(results: ClassResults) -> str:
    """Every check with its pass rate, the one that takes most points from the class first."""
    found = tolls(results)
    lossy = sum(toll.rate < 1 for toll in found)
    first, rest = found[: min(FIRST, lossy)], found[min(FIRST, lossy) :]
    told = _checks(first) if first else "<p>Everyone passes every check.</p>\n"
    if rest:
        told += f"<details><summary>The other {len(rest)} checks</summary>\n{_checks(rest)}</details>\n"
    title = "Checks that take the most points"
    return f'<section aria-labelledby="checks"><h2 id="checks">{title}</h2>\n{told}</section>\n'


def _checks(found: Sequence[Toll]) -> str:
    rows = "".join(_check(toll) for toll in found)
    return (
        '<table class="tolls"><thead><tr><th scope="col">Check</th><th scope="col">Passed</th>'
        '<td class="share"></td><th scope="col">Points lost, mean</th></tr></thead>\n'
        f"<tbody>{rows}</tbody></table>\n"
    )


def _check(toll: Toll) -> str:
    total, x, bars = sum(toll.fates.values()), 0.0, ""
    for name in FATES:
        width = 100 * toll.fates[name] / total
        bars += f'<rect class="{name}" x="{x:.2f}" width="{width:.2f}" height="10"/>' if width else ""
        x += width
    others = ", ".join(
        f"{toll.fates[name]:,} {text}" for name, text in FATES.items() if toll.fates[name] and name != "passed"
    )
    line = toll.line
    head = (
        f'<code>{words.line(line.id).replace(".", ".<wbr>")}</code> <span class="claim">{words.text(line.claim)}</span>'
    )
    return (
        f'<tr><th scope="row">{head}</th>'
        f'<td class="points">{_rate(toll.rate)}</td><td class="share"><svg viewBox="0 0 100 10" '
        f'preserveAspectRatio="none" aria-hidden="true">{bars}</svg><span class="others">{others}</span></td>'
        f'<td class="points">{toll.lost:.2f} of {line.max_points}</td></tr>\n'
    )


def _rate(rate: float) -> str:
    """Never 100 % when somebody lost it, never 0 % when somebody passed."""
    return f"{min(99, max(1, round(100 * rate))) if 0 < rate < 1 else round(100 * rate)} %"


def everyone(results: ClassResults) -> str:
    """Everyone by score, with the checks that were not passed: the heat map in words."""
    ranked = [student for group in columns(results) for student in group.students]
    rows = "".join(_student(results, number, student) for number, student in enumerate(ranked, 1))
    table = (
        f'<table class="everyone"><thead><tr><th scope="col">Student</th><th scope="col">Score</th>'
        f'<th scope="col">Not passed</th></tr></thead>\n<tbody>{rows}</tbody></table>\n'
    )
    return (
        '<section aria-labelledby="everyone"><h2 id="everyone">Everyone</h2>\n'
        f"<details><summary>{len(ranked):,} students by score</summary>\n{table}</details>\n</section>\n"
    )


def _student(results: ClassResults, number: int, student: Student) -> str:
    lost: dict[str, list[str]] = {}
    for check, status in zip(results.checks, student.statuses):
        if status != "passed":
            lost.setdefault(FATES[fate(status)], []).append(check.id)
    every = len(lost) == 1 and sum(map(len, lost.values())) == len(results.checks)
    told = "; ".join(f"{text}: {'everything' if every else ', '.join(ids)}" for text, ids in lost.items())
    return (
        f'<tr><th scope="row">{number}. <bdi>{words.line(student.name)}</bdi></th>'
        f'<td class="points">{student.score} / {student.max_score}</td><td>{words.text(told)}</td></tr>\n'
    )
