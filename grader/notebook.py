"""The grader's face in a notebook: `check("LayerNorm")` in a test cell grades what the kernel has run so far."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from grader.cells import definitions, joined
from grader.grading import Grader
from grader.kit import Kit
from grader.records import COMPONENTS, GraderFault, Report, Submission, UsageError
from grader.render import cell, terminal
from grader.rubric import RUBRIC
from grader.submission import MAX_BYTES

NAME = "notebook.ipynb"


def check(component: str) -> int:
    """Show the report on one component below the cell; returns its points.

    For people: a kernel that has run a hand-in can be made to say anything. See .github/docs/trust.md.
    """
    from IPython import get_ipython  # there is one where this is used
    from IPython.display import display

    try:
        report = graded(get_ipython().history_manager.input_hist_raw, component)
    except (UsageError, GraderFault) as error:
        said = f"Nothing was graded, and that is not your code's fault: {error}"
        display({"text/plain": said}, raw=True)
        return 0
    display({"text/plain": terminal.render(report), "text/html": cell.render(report)}, raw=True)
    return report.score


def graded(history: Sequence[str], component: str) -> Report:
    """The report on one component of what these cells define, run in this order."""
    if component not in COMPONENTS:
        raise UsageError(f"there is no component {component}; choose from {', '.join(COMPONENTS)}")
    checks = tuple(line for line in RUBRIC if line.component == component)
    return Grader(Kit.here(), checks=checks).grade(_submission(history))


def _submission(history: Sequence[str]) -> Submission:
    """The cells that ran, the latest as far as they are not too many; without those that were written anew later."""
    kept: list[tuple[int, str]] = []
    later: set[str] = set()
    room = MAX_BYTES // 2
    for number, source in reversed(list(enumerate(history))):  # In [0] is always empty
        names = definitions(source)
        if len(source) <= room and names is not None and not (names and names <= later):
            kept.append((number, source))
            later |= names
            room -= len(source)
    text = joined(reversed(kept))
    return Submission(NAME, hashlib.sha256(text.encode("utf-8", "replace")).hexdigest(), text)
