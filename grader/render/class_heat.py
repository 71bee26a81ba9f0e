"""The heat map of a class: a row for each check, a column for each student, or for each group of a large class."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from matplotlib.figure import Figure
from matplotlib.patches import PathPatch
from matplotlib.path import Path

from grader.class_results import ClassResults
from grader.records import COMPONENTS
from grader.render.class_figures import EVERYONE, FATES, Group, columns, fate, percent, tolls
from grader.render.class_plots import FATE_COLOURS, PIXEL, SOFT, drawing, drawn
from grader.render.visible import one_line

NAMED = 45  # students whose names fit below their columns
ROW, GAP, LEFT, WIDTH, NAMES = 15, 9, 150, 900, 120  # pixels
LETTERS = 20  # of a name
STEPS = 10  # shades of a group's share

Cell = tuple[str, float]  # colour, opacity
GROUND: Cell = (FATE_COLOURS["passed"], 1.0)


def heat_map(results: ClassResults) -> str:
    """In each component the check that takes most points is at the bottom; the lowest scores are beside the names."""
    groups = columns(results)[::-1]
    rows = _rows(results)
    bottom = (NAMES if len(groups) <= NAMED else 28) + 6
    height = rows[-1][1] + ROW + bottom
    with drawing():
        figure = Figure(figsize=(WIDTH * PIXEL, height * PIXEL), dpi=72)
        axes = figure.add_axes((LEFT / WIDTH, bottom / height, 1 - LEFT / WIDTH, 1 - bottom / height), frameon=False)
        axes.set_xlim(0, len(groups))
        axes.set_ylim(height - bottom, 0)
        rectangles: dict[Cell, list[tuple[float, float, float]]] = {}
        for place, y in rows:
            rectangles.setdefault(GROUND, []).append((0, y, len(groups)))
            for cell, start, end in _runs([_cell(group, place) for group in groups]):
                if cell != GROUND:
                    rectangles.setdefault(cell, []).append((start, y, end))
        for (colour, opacity), where in rectangles.items():  # the ground is the first
            axes.add_patch(PathPatch(_path(where), facecolor=colour, alpha=opacity, linewidth=0, clip_on=False))
        axes.set_yticks([y + ROW / 2 for _, y in rows], [_label(results.checks[place].id) for place, _ in rows])
        axes.set_xticks(*_ticks(groups))
        axes.set_xlabel("" if len(groups) <= NAMED else "rank", fontsize=9.5)
        axes.tick_params(length=0, labelsize=9.5, labelcolor=SOFT, pad=3)
        if len(groups) <= NAMED:  # by its end, since matplotlib does not know how long a name is
            for label in axes.get_xticklabels():
                label.set(rotation=90, rotation_mode="anchor", horizontalalignment="right", verticalalignment="center")
        names = [_short(one_line(group.students[0].name)) for group in groups]
        return drawn(figure, "heat", _told(results), names)


def _rows(results: ClassResults) -> list[tuple[int, float]]:
    """Number of the check and the top of its row."""
    order = {toll.line.id: -number for number, toll in enumerate(tolls(results))}
    rows, y = [], 0.0
    for name in COMPONENTS:
        places = [k for k, check in enumerate(results.checks) if check.component == name]
        for place in sorted(places, key=lambda k: order[results.checks[k].id]):
            rows.append((place, y))
            y += ROW
        y += GAP if places else 0
    return rows


def _cell(group: Group, place: int) -> Cell:
    """What became of the check for one student; for a group, which share of it lost points there, in steps."""
    fates = [fate(student.statuses[place]) for student in group.students]
    if len(fates) == 1:
        return FATE_COLOURS[fates[0]], 1.0
    lost = sum(found != "passed" for found in fates)
    if not lost:
        return GROUND
    return FATE_COLOURS["failed"], max(1, round(STEPS * lost / len(fates))) / STEPS


def _runs(cells: Sequence[Cell]) -> Iterator[tuple[Cell, int, int]]:
    """Like cells beside each other are drawn as one."""
    start = 0
    for cell, same in groupby(cells):
        end = start + len(list(same))
        yield cell, start, end
        start = end


def _path(where: Sequence[tuple[float, float, float]]) -> Path:
    """Rectangles as one path: thousands of elements would make a slow page."""
    corners = [
        corner for x, y, end in where for corner in ((x, y), (end, y), (end, y + ROW - 1), (x, y + ROW - 1), (x, y))
    ]
    codes = [Path.MOVETO, Path.LINETO, Path.LINETO, Path.LINETO, Path.CLOSEPOLY] * len(where)
    return Path(corners, codes)


def _label(check: str) -> str:
    component, _, name = check.partition(".")
    return f"{''.join(c for c in component if c.isupper())}  {name}"


def _ticks(groups: Sequence[Group]) -> tuple[list[float], list[str]]:
    """Names below a few columns, ranks below many."""
    if len(groups) <= NAMED:
        return [k + 0.5 for k in range(len(groups))], [f"@{k}@" for k in range(len(groups))]
    places = [len(groups) * k // 10 for k in range(10)]
    return [k + 0.5 for k in places], [f"{groups[k].first + len(groups[k].students) - 1:,}." for k in places]


def _short(name: str) -> str:
    return name if len(name) <= LETTERS else f"{name[: LETTERS - 1]}…"


def _told(results: ClassResults) -> str:
    """The plot in words, as far as words go; the tables on the page have it all."""
    worst = [f"{t.line.id} ({percent(1 - t.rate)} do not pass)" for t in tolls(results)[:5] if t.rate < 1]
    each = "one student" if len(results.students) <= EVERYONE else "a group of students who follow each other in rank"
    lost = f"Most points are lost in {', '.join(worst)}" if worst else "Everyone passes every check"
    return (
        f"Heat map of {len(results.checks)} checks by {len(results.students)} students; a column is {each}, the "
        f"lowest score first. {lost}."
    )


def key(results: ClassResults) -> list[tuple[str, str, float]]:
    """What the colours mean: fate or share, its name, how strong it is."""
    if len(results.students) <= EVERYONE:
        return [(name, text, 1.0) for name, text in FATES.items()]
    return [
        ("passed", "everyone in the group passed", 1.0),
        *(("failed", f"{percent(share)} lost points", share) for share in (0.1, 0.5, 1.0)),
    ]
