"""What changed between two gradings of one file, and what a student who keeps saving wants to see first. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from grader.hints import steps
from grader.records import Report, Result
from grader.render.causes import next_line, next_step, totals
from grader.render.screen import COLOURS, PLAIN, Style, mark, painted, shown, wrapped


@dataclass(frozen=True)
class Run:
    """One grading and the time of day at which the file was saved."""

    report: Report
    at: str

    @property
    def loaded(self) -> bool:
        """Whether there was anything to grade."""
        return any(result.status != "unloadable" for result in self.report.results)

    @property
    def score(self) -> str:
        return f"{self.report.score}/{self.report.max_score}"


@dataclass(frozen=True)
class Changes:
    """Lines that passed only now, lines that passed only before, and the points between."""

    won: tuple[str, ...]
    lost: tuple[str, ...]
    points: int


def changes(before: Report, now: Report) -> Changes:
    """What the later of two reports on the same lines has gained and lost."""
    had = {result.id for result in before.results if result.status == "passed"}
    has = {result.id for result in now.results if result.status == "passed"}
    won = tuple(result.id for result in now.results if result.id in has - had)
    lost = tuple(result.id for result in now.results if result.id in had - has)
    return Changes(won, lost, now.score - before.score)


def render(run: Run, before: Run | None, style: Style = PLAIN) -> str:
    """The next step, the score by component, and what changed since the run ``before``."""
    lines = [heading(run.report.submission.name, run.at, style), "", *_next(run.report, style), ""]
    since = _since(run, before, style)
    if run.loaded:
        lines += [*_scores(run, style), ""]
    return "\n".join([*lines, *since, *([""] if since else []), *_notices(run.report, style)])


def heading(name: str, at: str, style: Style) -> str:
    """A line across the screen with the time of the run and the file's name."""
    text = shown(f"── {at}  {name} ", style)[: style.width - 1]
    return painted(text + shown("─", style) * (style.width - 1 - len(text)), "1", style)


def _next(report: Report, style: Style) -> list[str]:
    first = next_line(report)
    if first is None:
        said = f"{mark('passed', style)} Full marks: all {len(report.results)} checks passed."
        return [painted(said, COLOURS["passed"], style)]
    title = f"{mark(first.status, style)} {first.status}  "
    lines = wrapped(next_step(first), title, style)
    lines = [painted(line, COLOURS.get(first.status, "31"), style) for line in lines]
    return [*lines, "", *_explained(first, report, style)]


def _explained(first: Result, report: Report, style: Style) -> list[str]:
    """Message, likely cause and hint; one hint unasked, one more for each that is asked for."""
    lines = wrapped(first.message, "  ", style)
    likely = [d.sentence for d in report.diagnoses if d.component == first.component]
    for sentence in likely:
        lines += wrapped(f"Likely cause: {sentence}", "  ", style)
    if first.status != "unloadable":
        for hint in steps(first.id, first.hint)[: 1 + style.hints]:
            lines += wrapped(f"Hint: {hint}", "  ", style)
    return lines


def _scores(run: Run, style: Style) -> list[str]:
    lines = []
    for name, score, most, passed, count in totals(run.report):
        status = "passed" if score == most else "failed" if passed else "todo"
        text = f"{mark(status, style)} {name:<19}{f'{score}/{most}':>7}  {passed} of {count}"
        lines.append(painted(text, COLOURS["passed"], style) if score == most else text)
    return [*lines, painted(f"  {'Score':<19}{run.score:>7}", "1", style)]


def _since(run: Run, before: Run | None, style: Style) -> list[str]:
    if before is None:
        return []
    if not run.loaded:
        return wrapped(f"At {before.at} it was {before.score}.", "", style)
    found = changes(before.report, run.report)
    if not found.won and not found.lost:
        return wrapped(f"Since {before.at} ({before.score}): no check passed anew, none was lost.", "", style)
    lines = wrapped(f"Since {before.at} ({before.score}): {found.points:+d} points", "", style)
    for status, said, names in (("passed", "now passes", found.won), ("failed", "now lost", found.lost)):
        for text in _by_component(names, run.report):
            told = wrapped(text, f"  {mark(status, style)} {said}  ", style)
            lines += [painted(line, COLOURS[status], style) for line in told]
    return lines


def _by_component(names: tuple[str, ...], report: Report) -> list[str]:
    """The lines' names, in a sentence for each component."""
    told = []
    for component, *_, count in totals(report):
        own = [name.partition(".")[2] for name in names if name.partition(".")[0] == component]
        if own:
            told.append(f"{component}: {f'all {count} checks' if len(own) == count else ', '.join(own)}")
    return told


def _notices(report: Report, style: Style) -> list[str]:
    lines = []
    for notice in report.notices:
        lines += wrapped(f"{notice.component}: {notice.text}" if notice.component else notice.text, "Notice  ", style)
    return lines
