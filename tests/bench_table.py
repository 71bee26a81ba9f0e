"""The table that ``python -m tests.bench`` prints and writes into the README."""

from __future__ import annotations

import os
import re
from statistics import median
from typing import NamedTuple

PART = re.compile(r"(?<=<!-- bench -->\n).*?(?=<!-- end of bench -->)", re.DOTALL)
NOT_MEASURED = "not measured"


class Spent(NamedTuple):
    """Seconds for one hand-in (or one command): on the clock, and of all processors together."""

    wall: float
    cpu: float


def table(found: dict[str, list[Spent]], nbgrader: Spent | None, memory: list[float], hand_ins: int) -> str:
    """The figures in Markdown."""
    wall = {name: median(one.wall for one in spent) for name, spent in found.items()}
    cpu = {name: median(one.cpu for one in spent) for name, spent in found.items()}

    def ratio(upper: str, *lower: str, of: str = "cpu") -> str:
        columns = zip(found[upper], *(found[name] for name in lower))
        return f"{median(getattr(u, of) / sum(getattr(one, of) for one in rest) for u, *rest in columns):.2f}"

    def row(name: str, label: str) -> str:
        return f"| {label} | {1 / wall[name]:.1f} | {1000 * cpu[name]:.0f} | {ratio(name, 'floor')} |"

    cells = f"{1 / nbgrader.wall:.2f} | {1000 * nbgrader.cpu:.0f} | " if nbgrader else f"{NOT_MEASURED} | | "
    peak = f"{memory[0]:.0f} MiB after 100 hand-ins, {memory[1]:.0f} MiB after 1,000" if memory else NOT_MEASURED
    return f"""\
`make bench`: {hand_ins} right hand-ins, medians of {len(found["one"])} interleaved rounds on one machine with \
{os.cpu_count()} cores.

| | hand-ins per second | CPU ms each | times the bare passes |
|---|---|---|---|
{row("floor", "the bare forward and backward passes, one core")}
{row("one", "grader, one core")}
{row("two", "grader, two cores")}
{row("pytest", "`pytest --submission`, one process each")}
| `nbgrader autograde` | {cells}|

- Two cores grade {ratio("one", "two", of="wall")} times what one does.
- `grader check` of the reference takes {1000 * cpu["check"]:.0f} ms of CPU, {ratio("check", "import", "reference")} \
times `python -c "import pytest"` and the bare passes together.
- Peak memory of the grading process: {peak}.
"""


def written(readme: str, text: str) -> str:
    """The README with this table in the place that is marked for it."""
    if not PART.search(readme):
        raise SystemExit("README.md has no <!-- bench --> and <!-- end of bench -->, each on a line of its own")
    return PART.sub(lambda _: text, readme)
