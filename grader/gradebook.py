"""Marks in nbgrader's gradebook, so that `nbgrader export`, the formgrader and late penalties work on them.

The assignment has one notebook with a grade cell for each component. All is written in one transaction, and only what
differs: who is there already keeps name and manual scores, and writing twice changes nothing. Needs the extra
``gradebook``.
"""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from grader.cohort import Cohort, HandIn, Standing
from grader.gradebook_database import opened
from grader.listing import listing
from grader.records import COMPONENTS, UsageError
from grader.rubric import RUBRIC

NOTEBOOK = "transformer_block"
LONGEST = 128  # characters of a student's id there
CELLS = {name: float(sum(check.points for check in RUBRIC if check.component == name)) for name in COMPONENTS}


@dataclass(frozen=True)
class _Row:
    """What one student gets: nbgrader's id, points by component, and the time of submission (UTC) where it is known."""

    student: str
    points: Mapping[str, float]
    time: Any


def check(place: str, assignment: str) -> None:
    """Raise UsageError for what would stop ``write``: no such database, or an assignment with other cells."""
    with opened(place) as book:
        _notebook(book, assignment)


def write(place: str, assignment: str, cohort: Cohort, source: Path) -> list[str]:
    """Write everyone's marks; returns what was done and who was left out, in words.

    ``place`` is a URL as SQLAlchemy has them, or the path of an SQLite file. ``source`` is where the hand-ins were
    found: a ``timestamp.txt`` beside a file (as `nbgrader collect` leaves it) is its time of submission. Who has no
    score gets no row. Raises UsageError, and then nothing is written.
    """
    with opened(place) as book:
        students, remarks = _students(book, cohort.standings)
        times = _times(source, students, remarks)
        rows = [_Row(student, _points(one), times.get(one.hand_in)) for student, one in students.items()]
        done = Counter(_written(book, _notebook(book, assignment) or _new_notebook(book, assignment), rows))
        book.db.commit()
    remarks += [f"{one.hand_in.student}: nothing written, there is no score: {one.text}" for one in cohort.casualties]
    remarks += [f"{one.student}: nothing written, there is no score: {one.text}" for one in cohort.troubles]
    counts = f"{done['new']} new, {done['changed']} changed, {done['same']} as they were"
    return [f"The marks are in the gradebook as {assignment}: {counts}", *(f"  {remark}" for remark in remarks)]


def _points(one: Standing) -> dict[str, float]:
    return {name: float(sum(m.points for m in one.marks if m.id.partition(".")[0] == name)) for name in COMPONENTS}


def _notebook(book: Any, assignment: str) -> Any:
    """The notebook of an assignment that is there, None when there is none yet. Raises UsageError for other cells."""
    api = import_module("nbgrader.api")
    try:
        notebooks = book.find_assignment(assignment).notebooks
    except api.MissingEntry:
        return None
    found = {cell.name: cell.max_score for one in notebooks for cell in (*one.grade_cells, *one.task_cells)}
    if len(notebooks) > 1 or (notebooks and found != CELLS):
        count = f"{len(notebooks)} notebook{'s' * (len(notebooks) > 1)}"
        there, ours = (", ".join(f"{name} {most:g}" for name, most in cells.items()) for cells in (found, CELLS))
        raise UsageError(
            f"the gradebook has another assignment {assignment}: {count} with {there or 'no cell'}; "
            f"the rubric has one with {ours}. Nothing was written; give another name with --gradebook-assignment"
        )
    return notebooks[0] if notebooks else None


def _new_notebook(book: Any, assignment: str) -> Any:
    """The notebook and its cells, in an assignment that is made where it is missing."""
    api = import_module("nbgrader.api")
    try:
        made = book.find_assignment(assignment)
    except api.MissingEntry:
        made = api.Assignment(name=assignment, course_id=book.course_id)
    notebook = api.Notebook(name=NOTEBOOK, assignment=made)
    cells = [api.GradeCell(name=n, max_score=most, cell_type="code", notebook=notebook) for n, most in CELLS.items()]
    book.db.add_all([made, notebook, *cells])
    book.db.flush()
    return notebook


def _students(book: Any, standings: Iterable[Standing]) -> tuple[dict[str, Standing], list[str]]:
    """Standings by nbgrader's id of the student, and who has none; a student who is not there yet will be made.

    A hand-in belongs to the student of its name, else of another name that its file gave away, as an id or as the
    number in the LMS.
    """
    known: dict[str, set[str]] = {}
    for student in book.db.query(import_module("nbgrader.api").Student):
        for name in (student.id, student.lms_user_id):
            known.setdefault(name, set()).add(student.id)
    claims: dict[str, list[Standing]] = {}
    remarks = []
    for one in standings:
        names = (one.hand_in.student, *one.hand_in.aliases)
        ids = next((found for name in names if (found := known.get(name))), {names[0]})
        if len(ids) > 1 or len(min(ids)) > LONGEST:
            why = f"fits several students ({', '.join(sorted(ids))})" if len(ids) > 1 else "is too long a name"
            remarks.append(f"{names[0]} {why}: not written")
        else:
            claims.setdefault(min(ids), []).append(one)
    for student, several in claims.items():
        if len(several) > 1:
            remarks.append(f"{', '.join(s.hand_in.student for s in several)} are all {student} there: not written")
    return {student: several[0] for student, several in claims.items() if len(several) == 1}, remarks


def _times(source: Path, students: Mapping[str, Standing], remarks: list[str]) -> dict[HandIn, Any]:
    """When each was handed in, where that is known; adds a remark for a time that is none."""
    parse, found = import_module("nbgrader.utils").parse_utc, {}
    try:
        files = listing(source)
        paths = {file.path for file in files.files()}
    except UsageError:
        return {}  # a run may outlive the hand-ins
    for hand_in in (one.hand_in for one in students.values()):
        folder = hand_in.origin.rpartition("/")[0]
        path = f"{folder}/timestamp.txt"
        if folder and path in paths:
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("error")  # dateutil's, of a time zone that it does not know
                    found[hand_in] = parse(files.read(path).decode("utf-8").strip())
            except (UsageError, ValueError, OverflowError, Warning) as error:
                remarks.append(
                    f"{hand_in.student}: {path} is no time that nbgrader reads, so none was written: {error}"
                )
    return found


def _written(book: Any, notebook: Any, rows: Iterable[_Row]) -> Iterator[str]:
    """Write the rows; says of each what became of it."""
    api, db = import_module("nbgrader.api"), book.db
    students = {student for (student,) in db.query(api.Student.id)}
    submissions = {one.student_id: one for one in book.assignment_submissions(notebook.assignment.name)}
    grades = _grades(book, notebook)
    for row in rows:
        if row.student not in students:
            db.add(api.Student(id=row.student))
        there = submissions.get(row.student)
        submission = there or api.SubmittedAssignment(
            id=api.new_uuid(), assignment_id=notebook.assignment_id, student_id=row.student
        )
        filled = grades.get(submission.id) or _new_grades(api, notebook, submission.id)
        db.add_all([submission, *filled.values()])
        changed = _fill(submission, filled, row)
        yield "changed" if there and changed else "same" if there else "new"


def _grades(book: Any, notebook: Any) -> dict[str, dict[str, Any]]:
    """By submission and cell: what is there."""
    api = import_module("nbgrader.api")
    found: dict[str, dict[str, Any]] = {}
    asked = (
        book.db.query(api.SubmittedNotebook.assignment_id, api.BaseCell.name, api.Grade)
        .join(api.Grade, api.Grade.notebook_id == api.SubmittedNotebook.id)
        .join(api.BaseCell, api.BaseCell.id == api.Grade.cell_id)
        .filter(api.SubmittedNotebook.notebook_id == notebook.id)
    )
    for submission, cell, grade in asked:
        found.setdefault(submission, {})[cell] = grade
    return found


def _new_grades(api: Any, notebook: Any, submission: str) -> dict[str, Any]:
    """A grade for every cell, below a notebook of the submission; with comments where nbgrader wants them."""
    submitted = api.SubmittedNotebook(id=api.new_uuid(), notebook_id=notebook.id, assignment_id=submission)
    submitted.comments = [api.Comment(cell_id=cell.id) for cell in notebook.solution_cells]
    return {cell.name: api.Grade(cell_id=cell.id, notebook=submitted) for cell in notebook.grade_cells}


def _fill(submission: Any, grades: Mapping[str, Any], row: _Row) -> bool:
    """Put in points and time; whether anything was different. A manual score stays, and asks to be looked at."""
    changed = row.time is not None and submission.timestamp != row.time
    if changed:
        submission.timestamp = row.time
    for name, points in row.points.items():
        grade = grades[name]
        if grade.auto_score != points:
            grade.auto_score, changed = points, True
            grade.needs_manual_grade = grade.manual_score is not None
    return changed
