"""The plots of a class as SVG inside HTML, drawn by matplotlib; colours and type are the page's, light and dark."""

from __future__ import annotations

import io
import re
from collections import Counter
from collections.abc import Sequence
from contextlib import AbstractContextManager
from html import escape
from typing import Any

import matplotlib as mpl
from matplotlib import style
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from grader.class_results import ClassResults
from grader.records import COMPONENTS
from grader.render.class_figures import FATES, bins, percent, quarters, shares

# What matplotlib draws in the one is shown in the other: custom properties of class.css, which know the scheme.
COLOURS = {
    "#000001": "var(--ink)",
    "#000002": "var(--soft)",
    "#000003": "var(--line)",
    "#000004": "var(--fill)",
    "#000005": "var(--good)",
    "#000011": "var(--a)",
    "#000012": "var(--b)",
    "#000013": "var(--c)",
    "#000014": "var(--d)",
    "#000015": "var(--passed)",
    "#000016": "var(--failed)",
    "#000017": "var(--broke)",
    "#000018": "var(--blocked)",
    "#000019": "var(--unwritten)",
}
INK, SOFT, LINE, FILL, GOOD = list(COLOURS)[:5]
PARTS, FATE_COLOURS = list(COLOURS)[5:9], dict(zip(FATES, list(COLOURS)[9:]))
STYLE: Any = {  # the keys are literals in matplotlib's stubs
    "axes.edgecolor": LINE,
    "axes.labelcolor": SOFT,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "font.size": 11,
    "svg.fonttype": "none",  # text stays text: it can be read aloud, found and enlarged
    "text.color": INK,
    "xtick.color": SOFT,
    "ytick.color": SOFT,
}
PIXEL = 1 / 72  # inches


def drawing() -> AbstractContextManager[None]:
    """The page's style, whatever the reader's own matplotlibrc says."""
    return style.context(["default", STYLE])


def scores(results: ClassResults) -> str:
    """A histogram of the scores, with the pass mark where there is one."""
    with drawing():
        figure, axes = _axes(440, 260, (0.03, 0.16, 0.94, 0.77))
        found = bins(results.students)
        for place, (_, count) in enumerate(found):
            axes.bar(place, count, 0.82, color=GOOD if place == len(found) - 1 else FILL)
            if count:
                axes.annotate(str(count), (place, count), (0, 3), textcoords="offset points", ha="center", fontsize=10)
        axes.set_xticks(range(len(found)), [label for label, _ in found], fontsize=9)
        axes.set_xlabel("score")
        axes.set_yticks([])
        axes.spines["left"].set_visible(False)
        axes.tick_params(length=0)
        told = ", ".join(f"{label}: {count}" for label, count in found)
        return drawn(figure, "scores", f"Histogram of scores. {told}")


def components(results: ClassResults) -> str:
    """For each component a bubble for every score, as large as many have it, over a box of the middle half."""
    with drawing():
        figure, axes = _axes(440, 260, (0.03, 0.16, 0.94, 0.82))
        told = []
        for row, (name, colour) in enumerate(zip(COMPONENTS, PARTS)):
            found = shares(results, name)
            if found:
                told.append(f"{name}: half of the class has {_box(axes, -row, found, colour)}")
            axes.text(0, -row + 0.36, name, fontsize=11)
        axes.set_xlim(-0.04, 1.04)
        axes.set_ylim(-len(COMPONENTS) + 0.55, 0.6)
        axes.set_xticks([0, 0.25, 0.5, 0.75, 1], ["0 %", "25 %", "50 %", "75 %", "100 %"])
        axes.set_xlabel("share of the component's points")
        axes.set_yticks([])
        axes.spines["left"].set_visible(False)
        return drawn(figure, "components", f"Points by component. {'; '.join(told)}")


def _box(axes: Axes, row: int, found: Sequence[float], colour: str) -> str:
    """Draws one component; returns its middle half in words."""
    low, middle, high = quarters(found)
    axes.plot([0, 1], [row, row], color=LINE, linewidth=1, zorder=1)
    axes.barh(row, high - low, 0.3, left=low, color=colour, alpha=0.3, zorder=2)
    axes.plot([middle, middle], [row - 0.22, row + 0.22], color=colour, linewidth=3, solid_capstyle="butt", zorder=4)
    places = sorted(Counter(found).items())
    sizes = [max(9.0, 420 * count / len(found)) for _, count in places]
    axes.scatter([x for x, _ in places], [row] * len(places), sizes, color=colour, alpha=0.75, linewidths=0, zorder=3)
    return f"{percent(low)} to {percent(high)}, median {percent(middle)}"


def _axes(width: int, height: int, where: tuple[float, float, float, float]) -> tuple[Figure, Axes]:
    figure = Figure(figsize=(width * PIXEL, height * PIXEL), dpi=72)
    return figure, figure.add_axes(where)


def drawn(figure: Figure, name: str, told: str, texts: Sequence[str] = ()) -> str:
    """The figure as an SVG element with ``told`` as its text. "@3@" in it stands for text 3, which may be anything.

    The same figure gives the same bytes; ``name`` keeps one plot's ids apart from another's.
    """
    file = io.StringIO()
    with mpl.rc_context({"svg.hashsalt": name}):
        figure.savefig(file, format="svg", transparent=True, metadata={"Date": None, "Creator": None, "Format": None})
    svg = file.getvalue()
    svg = re.sub(r"(?s)<metadata>.*?</metadata>|<style.*?</style>|<!--.*?-->", "", svg[svg.index("<svg") :])
    svg = re.sub(r'<g id="[^"]*"', "<g", svg)
    svg = re.sub(r" ?font-family: [^;\"]*;?|(?<=font: )([\d.]+px) [^;\"]*", r"\1", svg)
    svg = re.sub(r"#0000[01]\d", lambda found: COLOURS[found[0]], svg)
    svg = re.sub(r"@(\d+)@", lambda found: escape(texts[int(found[1])]), svg)
    box = re.search(r'viewBox="[^"]*"', svg)
    head = f'<svg class="plot {name}" role="img" aria-label="{escape(told)}" {box[0] if box else ""}'
    return re.sub(r"\s*\n\s*", "\n", re.sub(r"^<svg[^>]*", head, svg))
