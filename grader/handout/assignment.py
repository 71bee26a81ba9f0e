"""The exercise as an nbgrader course, made from ``exercise/`` and ``solution/`` and proved to give nothing away."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from grader.handout import Order
from grader.handout.proof import prove
from grader.handout.source_notebook import NAME, notebook
from grader.kit import Kit
from grader.records import GraderFault, UsageError
from grader.writing import write_whole

COURSE = "nbgrader"
GIVEN = ("engine.py", "nn.py")
CONFIG = '''\
"""Made by `grader handout nbgrader`. Marks come from the grader's own process: no hand-in runs in a kernel."""

from nbconvert.preprocessors import CSSHTMLHeaderPreprocessor
from nbgrader.preprocessors import ClearHiddenTests, GetGrades

c = get_config()  # noqa: F821  # nbgrader defines it
c.CourseDirectory.course_id = "transformer_block"
# nbgrader's own list, with Marks in the place of Execute.
c.Autograde.autograde_preprocessors = [
    "grader.nbgrader_marks.Marks",
    "nbgrader.preprocessors.IgnorePattern",
    "nbconvert.preprocessors.ClearMetadataPreprocessor",
    "nbgrader.preprocessors.LimitOutput",
    "nbgrader.preprocessors.SaveAutoGrades",
    "nbgrader.preprocessors.AssignLatePenalties",
    "nbgrader.preprocessors.CheckCellMetadata",
]
# c.Marks.seed = 0  # another number asks other questions; that needs the full kit on this machine
c.GenerateFeedback.preprocessors = [ClearHiddenTests, GetGrades, CSSHTMLHeaderPreprocessor]
'''


def build(kit: Kit, order: Order) -> Sequence[str]:
    """Write the course, let nbgrader make the release, and prove that it gives nothing away.

    A course that is there already keeps its configuration, gradebook and submissions. Raises UsageError without
    nbgrader or ``solution/``, GraderFault when the release holds a piece of the solution (then it is removed again).
    """
    course = order.into / COURSE
    make_course(kit, course)
    return (
        f"The nbgrader course is in {course}; hand out what is in {course / 'release' / NAME}",
        "  nothing of solution/ is in the release",
    )


def make_course(kit: Kit, course: Path) -> None:
    """The same in this very folder."""
    if kit.solution is None:
        raise UsageError("the assignment is made from the full kit: there is no solution/ here")
    source = course / "source" / NAME
    made = notebook(kit.exercise, kit.solution)
    source.mkdir(parents=True, exist_ok=True)
    if not (course / "nbgrader_config.py").exists():
        write_whole(course / "nbgrader_config.py", CONFIG)
    for name in GIVEN:
        write_whole(source / name, (kit.exercise / name).read_bytes())
    write_whole(source / f"{NAME}.ipynb", made)
    _generate(course)
    release = course / "release" / NAME
    try:
        prove(kit, {path.name: path.read_bytes() for path in sorted(release.iterdir())})
    except GraderFault:
        shutil.rmtree(release)
        raise


def _generate(course: Path) -> None:
    """Run nbgrader's generate_assignment on the course. Raises GraderFault with nbgrader's words when it fails."""
    from nbgrader.apps import NbGraderAPI
    from nbgrader.utils import setenv
    from traitlets.config import Config

    config = Config()
    config.CourseDirectory.root = str(course.resolve())
    beside = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])
    with setenv(PATH=beside):  # nbgrader looks for alembic there
        done = NbGraderAPI(config=config).generate_assignment(NAME, force=True)
    if not done["success"]:
        raise GraderFault(f"nbgrader could not make the release: {done.get('log') or done.get('error')}")
