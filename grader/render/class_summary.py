"""The end of a class's run for people: scores, checks, misconceptions, and everyone who needs a second look."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Iterable, Sequence
from statistics import mean, median

from grader.cohort import Cohort, Standing
from grader.records import Status

WIDTH = 80
BAR = 40  # characters of the longest bar
MOST = 10  # misconceptions that are shown


def render(cohort: Cohort, pass_mark: int | None = None) -> str:
    """The summary as plain text that ends in a line break; bars are ASCII."""
    standings = cohort.standings
    lines = [_heading(cohort), ""]
    if standings:
        lines += [*_scores(standings, pass_mark), "", *_checks(standings), "", *_misconceptions(standings)]
    lines += _list("Not graded, by a fault of the grader (no score, not a zero)", _casualties(cohort))
    lines += _list("Not graded, since there was not one file to grade", ((t.student, t.text) for t in cohort.troubles))
    lines += _list("Graded, with a remark", ((s.hand_in.student, n) for s in standings for n in s.hand_in.notices))
    lines += ["", *_isolation(standings)]
    return "\n".join(lines).rstrip() + "\n"


def _heading(cohort: Cohort) -> str:
    rate = f", {cohort.graded / cohort.seconds:.1f} a second" if cohort.graded and cohort.seconds > 0 else ""
    earlier = max(0, len({(s.hand_in, s.seed) for s in cohort.standings}) - cohort.graded)
    before = f" ({cohort.graded} files graded now, the rest known or the same)" if earlier else ""
    return f"{len(cohort.standings)} hand-ins graded{before} in {_duration(cohort.seconds)}{rate}"


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes else f"{seconds:.1f} s"


def _casualties(cohort: Cohort) -> Iterable[tuple[str, str]]:
    return ((one.hand_in.student, one.text) for one in cohort.casualties)


def _scores(standings: Sequence[Standing], pass_mark: int | None) -> list[str]:
    scores, most = [s.score for s in standings], max(s.max_score for s in standings)
    full = sum(s.score == s.max_score for s in standings)
    head = f"Scores of {most}: mean {mean(scores):.1f}, median {median(scores):g}, lowest {min(scores)}, full {full}"
    if pass_mark is not None:
        head += f", at least {pass_mark}: {sum(score >= pass_mark for score in scores)}"
    bins = Counter(min(9, score * 10 // most) if score < most else 10 for score in scores)
    return [head, *(_bar(_range(k, most), bins[k], max(bins.values())) for k in range(11))]


def _range(k: int, most: int) -> str:
    return f"{most}" if k == 10 else f"{k * most // 10}-{(k + 1) * most // 10 - 1}"


def _bar(label: str, count: int, longest: int) -> str:
    return f"  {label:>6} {count:>6}  {'#' * -(-count * BAR // longest)}".rstrip()


def _checks(standings: Sequence[Standing]) -> list[str]:
    """Per check, how many passed, and what became of the others."""
    found: dict[str, Counter[Status]] = {}
    for standing in standings:
        for mark in standing.marks:
            found.setdefault(mark.id, Counter())[mark.status] += 1
    lines = [f"{'Check':<36}{'passed':>8}   of the others"]
    for check, statuses in found.items():
        total = sum(statuses.values())
        others = ", ".join(f"{count} {name}" for name, count in statuses.most_common() if name != "passed")
        lines.append(f"{check:<36}{100 * statuses['passed'] // total:>6} %   {others}".rstrip())
    return lines


def _misconceptions(standings: Sequence[Standing]) -> list[str]:
    named = Counter(name for standing in standings for name in standing.misconceptions)
    if not named:
        return ["No misconception was recognised."]
    lines = ["Most common misconceptions"]
    lines += [f"  {count:>5}  {component}: {name}" for (component, name), count in named.most_common(MOST)]
    return lines + ([f"         and {len(named) - MOST} more"] if len(named) > MOST else [])


def _list(title: str, items: Iterable[tuple[str, str]]) -> list[str]:
    lines = []
    for student, text in items:
        lines += textwrap.wrap(f"{student}: {text}", WIDTH, initial_indent="  ", subsequent_indent="    ")
    return ["", title, *lines] if lines else []


def _isolation(standings: Sequence[Standing]) -> list[str]:
    layers = Counter(standing.isolation for standing in standings)
    seeds = len({standing.seed for standing in standings})
    lines = [f"Isolation: {name} ({count})" for name, count in layers.most_common()]
    return [*lines, f"Seeds: {seeds}; each report names its own"] if standings else []
