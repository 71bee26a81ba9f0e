"""The score as a ring: an arc for each component, as long as its points, filled as far as they were earned."""

from __future__ import annotations

from math import pi

from grader.records import Report
from grader.render.causes import totals

RADIUS, GAP = 52.0, 3.0
AROUND = 2 * pi * RADIUS


def ring(report: Report) -> str:
    """An SVG with the score in its middle."""
    most = report.max_score or 1
    arcs, start = "", 0.0
    for name, score, points, *_ in totals(report):
        length = AROUND * points / most
        arcs += _arc("track", start, length - GAP)
        if score:
            arcs += _arc(name, start, max(0.0, length * score / (points or 1) - GAP))
        start += length
    return (
        f'<svg class="ring" role="img" aria-label="{report.score} of {report.max_score} points" '
        f'viewBox="0 0 120 120" width="120" height="120"><g transform="rotate(-90 60 60)">{arcs}</g>'
        f'<text x="60" y="66" class="big">{report.score}</text><text x="60" y="84">of {report.max_score}</text></svg>'
    )


def _arc(kind: str, start: float, length: float) -> str:
    return (
        f'<circle class="{kind}" cx="60" cy="60" r="{RADIUS:g}" fill="none" stroke-width="11" '
        f'stroke-dasharray="{length:.2f} {AROUND:.2f}" stroke-dashoffset="{-start:.2f}"/>'
    )
