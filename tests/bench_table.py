"""The table that ``python -m tests.bench`` prints and writes into the README."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from statistics import median
from typing import NamedTuple

PART = re.compile(r"(?<=<!-- bench -->\n).*?(?=<!-- end of bench -->)", re.DOTALL)


class Spent(NamedTuple):
    """For one hand-in (or one command): seconds on the clock, seconds of all processors together; peak MiB."""

    wall: float
    cpu: float
    peak: float = 0.0


ROWS = {
    "floor": "the bare forward and backward passes, one core",
    "one": "`grader class`, one core",
    "two": "`grader class`, two cores",
    "pytest": "`pytest --submission`, one process each",
    "kit": "`nbgrader autograde`, with the kit in the kernel's place",
    "nbgrader": "`nbgrader autograde`, with its kernel",
}


def table(found: Mapping[str, list[Spent]], peaks: Mapping[int, float], hand_ins: int) -> str:
    """The figures in Markdown."""
    wall = {name: median(one.wall for one in spent) for name, spent in found.items()}
    cpu = {name: median(one.cpu for one in spent) for name, spent in found.items()}
    rows = "\n".join(
        f"| {label} | {1 / wall[name]:.{1 if wall[name] < 1 else 3}f} | {1000 * cpu[name]:,.0f} "
        f"| {cpu[name] / cpu['floor']:.2f} | {wall[name] / wall['two']:.1f} |"
        for name, label in ROWS.items()
        if name in found
    )
    peak = ", ".join(f"{mib:.0f} MiB at {size:,}" for size, mib in peaks.items()) or "not measured"
    start = median(
        a.cpu / (b.cpu + c.cpu) for a, b, c in zip(found["check"], found["import"], found["reference"], strict=True)
    )
    return f"""\
`make bench`: {hand_ins} right hand-ins, medians of {len(found["one"])} interleaved rounds on one machine with \
{os.cpu_count()} cores. CPU is that of all processes, their start and the store included.

| | hand-ins per second | CPU ms each | CPU, times the bare passes | time, times two cores' |
|---|---|---|---|---|
{rows}

- Two cores grade {median(a.wall / b.wall for a, b in zip(found["one"], found["two"], strict=True)):.2f} times what \
one does.
- `grader check` of the reference takes {1000 * cpu["check"]:.0f} ms of CPU, {start:.2f} times \
`python -c "import pytest"` and the bare passes together.
- The largest process of `grader class` on small hand-ins: {peak}.
"""


def written(readme: str, text: str) -> str:
    """The README with this table in the place that is marked for it."""
    if not PART.search(readme):
        raise SystemExit("README.md has no <!-- bench --> and <!-- end of bench -->, each on a line of its own")
    return PART.sub(lambda _: text, readme)
