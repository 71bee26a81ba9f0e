"""Marks for `nbgrader autograde` from nbgrader's own process: a preprocessor that stands where Execute stood.

No kernel is started and no cell runs. The four test cells get the outputs that they would have in an honest kernel:
the report, and the points as the last value, which nbgrader takes for partial credit (nbgrader.utils.determine_grade).
"""

from __future__ import annotations

import re
import sys
from dataclasses import replace
from typing import Any

import nbformat
from nbformat import v4
from nbgrader.preprocessors import NbGraderPreprocessor
from traitlets import Enum, Int

from grader.cells import TEST
from grader.grading import Grader
from grader.isolation import LEVELS, Level, usual
from grader.kit import Kit
from grader.records import Report
from grader.render import cell
from grader.submission import from_bytes

_WANTED: Level = "files" if sys.platform == "linux" else usual()
_COMPONENT = re.compile(rf'(?m)^{re.escape(TEST)}(\w+)"\)$')


class Marks(NbGraderPreprocessor):  # type: ignore[misc]  # nbgrader has types, but does not say so
    """Grades the notebook as `grader check` does. What stops the grader stops the hand-in's autograding: no mark."""

    seed = Int(0, help="asks other questions; needs the full kit").tag(config=True)
    require_isolation = Enum(LEVELS, _WANTED, help="grade nothing when less than this is there").tag(config=True)

    def preprocess(self, nb: Any, resources: Any) -> tuple[Any, Any]:
        """Fill in the test cells' outputs."""
        codes = [found for found in nb.cells if found.cell_type == "code"]
        for code in codes:
            code.outputs, code.execution_count = [], None
        name = f"{resources['nbgrader']['notebook']}.ipynb"
        submission = from_bytes(name, nbformat.writes(nb).encode("utf-8", "replace"))
        report = Grader(Kit.here(), self.seed, require=self.require_isolation).grade(submission)
        for code in codes:
            found = _COMPONENT.search(code.source)
            if found:
                code.outputs = _outputs(_part(report, found[1]))
        return nb, resources


def _part(report: Report, component: str) -> Report:
    return replace(
        report,
        results=tuple(r for r in report.results if r.component == component),
        diagnoses=tuple(d for d in report.diagnoses if d.component == component),
        notices=tuple(n for n in report.notices if n.component in (None, component)),
    )


def _outputs(report: Report) -> list[Any]:
    """No text of the whole report: it names the seed, and students get to see these."""
    told = v4.new_output("display_data", {"text/html": cell.render(report), "text/plain": "<the report>"})
    return [told, v4.new_output("execute_result", {"text/plain": str(report.score)}, execution_count=1)]
