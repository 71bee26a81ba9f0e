"""Marks in nbgrader's own gradebook, on SQLite and on a real PostgreSQL server."""

from __future__ import annotations

import csv
import re
import shutil
import sqlite3
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from grader import gradebook
from grader.cli import main
from grader.cohort import Casualty, Cohort, HandIn, Mark, Standing, Trouble
from grader.gradebook_database import opened
from grader.records import UsageError
from grader.rubric import RUBRIC
from tests.class_runs import handed_in, ran, stored_points
from tests.databases import programs, server
from tests.hand_ins import ROOT, environment, run

nbgrader = pytest.importorskip("nbgrader.api", reason="needs the extra gradebook")
PAGE = ROOT / ".github" / "docs" / "gradebook.md"
NAME = "ps1"
NOWHERE = Path("no-hand-ins-there")
slow = pytest.mark.timeout(300)  # several programs of nbgrader, each a second or two to start


@pytest.fixture(scope="session")
def postgres() -> Iterator[Path]:
    """The folder of a server's socket."""
    found = programs()
    if found is None:
        pytest.skip("PostgreSQL's server is not installed (Debian: apt install postgresql)")
    with server(found) as folder:
        yield folder


@pytest.fixture(scope="session")
def worked_with(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A gradebook that an instructor has worked with: a student by name, another assignment with a mark."""
    place = tmp_path_factory.mktemp("gradebook") / "book.db"
    with opened(str(place)) as book:
        book.add_student("ada", first_name="Ada", last_name="Lovelace", lms_user_id="4711")
        book.add_assignment("ps0", duedate="2026-01-01 12:00:00 UTC")
        book.add_notebook("n", "ps0")
        book.add_grade_cell("c", "n", "ps0", max_score=5.0, cell_type="code")
        with book.db.no_autoflush:  # nbgrader 0.9.6 makes SQLAlchemy warn of half-made rows
            book.add_submission("ps0", "ada")
        book.find_grade("c", "n", "ps0", "ada").auto_score = 4.0
        book.db.commit()
    return place


@pytest.fixture
def book(worked_with: Path, tmp_path: Path) -> str:
    """A copy of it, to change."""
    return str(shutil.copy(worked_with, tmp_path / "grade book.db"))


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> str:
    """A place for a new gradebook, as an instructor would give it: a path, or the URL of an empty database."""
    if request.param == "sqlite":
        return str(tmp_path_factory.mktemp("new") / "grade book.db")
    folder, name = request.getfixturevalue("postgres"), "course"
    with import_module("psycopg").connect(
        f"postgresql://grader@/postgres?host={folder}", autocommit=True
    ) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    return f"postgresql://grader@/{name}?host={folder}"


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a class and of a finished run."""
    home = tmp_path_factory.mktemp("class")
    folder = handed_in(home / "class", ["ada_assert_helper", "ada_ln_eps_ignored", "bo_v_uses_k_projection"])
    done = ran("class", folder, "--output", home / "run")
    assert done.returncode == 0, done.stderr
    return home


def said(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> str:
    """What a command prints, run in this process, where nbgrader is imported already."""
    assert main([*map(str, arguments)]) == 0, capsys.readouterr().err
    return capsys.readouterr().out


def standing(student: str, lost: str = "", *aliases: str, origin: str = "") -> Standing:
    """Full marks but for the checks whose name begins with ``lost``."""
    marks = tuple(
        Mark(c.id, "failed" if lost and c.id.startswith(lost) else "passed", c.points, c.points) for c in RUBRIC
    )
    marks = tuple(m if m.status == "passed" else Mark(m.id, "failed", 0, m.max_points) for m in marks)
    hand_in = HandIn(student, aliases, origin or f"{student}.py")
    return Standing(hand_in, 0, sum(m.points for m in marks), 100, marks, (), "full", 0.1)


def cohort(*standings: Standing, casualties: tuple[Casualty, ...] = (), troubles: tuple[Trouble, ...] = ()) -> Cohort:
    """The end of a run."""
    return Cohort(standings, casualties, troubles, len(standings), 1.0)


def write(database: str, *standings: Standing, source: Path = NOWHERE, name: str = NAME, **others: Any) -> str:
    """What `write` says about these."""
    return "\n".join(gradebook.write(database, name, cohort(*standings, **others), source))


def grades(database: str, name: str = NAME) -> dict[str, dict[str, float]]:
    """By student and component: the score that nbgrader takes for the cell."""
    with opened(database) as book:
        notebooks = book.notebook_submissions(gradebook.NOTEBOOK, name)
        return {one.student.id: {grade.name: grade.score for grade in one.grades} for one in notebooks}


def everything(database: str) -> dict[str, list[str]]:
    """Every row of every table, as text."""
    with opened(database) as book:
        tables = nbgrader.Base.metadata.sorted_tables
        return {table.name: sorted(map(str, book.db.execute(table.select()))) for table in tables}


def exported(database: str, folder: Path) -> dict[str, dict[str, str]]:
    """By student: the row that `nbgrader export` writes."""
    url = database if "://" in database else f"sqlite:///{database}"
    url = url.replace("postgresql://", "postgresql+psycopg://")
    done = run(
        sys.executable, "-m", "nbgrader", "export", "--db", url, "--to", folder / "out.csv",
        cwd=folder, env=environment(HOME=str(folder)),
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    with (folder / "out.csv").open(encoding="utf-8", newline="") as file:
        return {row["student_id"]: row for row in csv.DictReader(file) if row["assignment"] == NAME}


@slow
def test_store_gradebook_and_export_agree(
    database: str, graded: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The marks of a finished run, written into a new gradebook."""
    told = said(capsys, "regrade", graded / "run", "--gradebook", database, "--gradebook-assignment", NAME)
    assert "as ps1: 3 new, 0 changed, 0 as they were" in told
    stored = stored_points(graded / "run")
    totals = {student: sum(points.values()) for student, points in stored.items()}
    assert len(stored) == 3 and 100 in totals.values() and min(totals.values()) < 100
    assert grades(database) == stored
    rows = exported(database, tmp_path)
    assert {student: float(row["score"]) for student, row in rows.items()} == totals
    assert {row["max_score"] for row in rows.values()} == {"100.0"}


def test_written_with_the_class_and_again_from_its_run(
    graded: Path, book: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """`grader class` writes; `grader regrade` of the run finds the same there, and changes no row."""
    told = said(capsys, "class", graded / "class", "--output", graded / "run", "--gradebook", book)
    assert "as transformer_block: 3 new, 0 changed, 0 as they were" in told
    before = everything(book)
    told = said(capsys, "regrade", graded / "run", "--gradebook", book)
    assert "as transformer_block: 0 new, 0 changed, 3 as they were" in told
    assert everything(book) == before


@slow
def test_what_moves_is_exactly_what_is_written(database: str) -> None:
    """The same again changes no row; one student's other mark changes one cell."""
    first, moved = (
        [standing("ada"), standing("bo", "LayerNorm.")],
        [standing("ada"), standing("bo", "FeedForward.")],
    )
    write(database, *first, name="ps2")
    before = everything(database)
    assert "as ps2: 0 new, 0 changed, 2 as they were" in write(database, *first, name="ps2")
    assert everything(database) == before
    assert "as ps2: 0 new, 1 changed, 1 as they were" in write(database, *moved, name="ps2")
    after = everything(database)
    assert {name for name in after if after[name] != before[name]} == {"grade"}
    assert len(set(after["grade"]) - set(before["grade"])) == 2  # what LayerNorm regained and FeedForward lost
    assert grades(database, "ps2")["bo"] == {**gradebook.CELLS, "FeedForward": 0.0}


def test_cells_are_the_components_of_the_rubric(book: str) -> None:
    """One for each, with its points as the maximum."""
    write(book, standing("ada"))
    with opened(book) as opened_book:
        (notebook,) = opened_book.find_assignment(NAME).notebooks
        found = {cell.name: cell.max_score for cell in notebook.grade_cells}
    assert found == {"MultiHeadAttention": 40, "LayerNorm": 18, "FeedForward": 14, "TransformerBlock": 28}


def test_students_and_other_assignments_stay_as_they_were(book: str) -> None:
    """What was there before is there after, row by row."""
    before = everything(book)
    write(book, standing("ada"), standing("bo"))
    after = everything(book)
    assert all(set(before[name]) <= set(after[name]) for name in before)
    assert sum("Lovelace" in row for row in after["student"]) == 1 and len(after["student"]) == 2


def test_a_manual_score_survives_and_asks_to_be_looked_at(book: str) -> None:
    """When the grader's own mark moves below it."""
    write(book, standing("ada", "LayerNorm."))
    with opened(book) as opened_book:
        opened_book.find_grade("LayerNorm", gradebook.NOTEBOOK, NAME, "ada").manual_score = 7.0
        opened_book.db.commit()
    write(book, standing("ada", "LayerNorm.eps"))
    with opened(book) as opened_book:
        grade = opened_book.find_grade("LayerNorm", gradebook.NOTEBOOK, NAME, "ada")
        other = opened_book.find_grade("FeedForward", gradebook.NOTEBOOK, NAME, "ada")
        assert (grade.score, grade.auto_score, grade.needs_manual_grade) == (7.0, 15.0, True)
        assert not other.needs_manual_grade


def test_who_has_no_score_gets_no_row_and_is_named(book: str) -> None:
    """A fault of the grader is nothing in the gradebook, and never a zero; nor is a missing file."""
    casualty = Casualty(HandIn("eve", (), "eve.py"), "the grading process died twice")
    told = write(book, standing("ada"), casualties=(casualty,), troubles=(Trouble("dan", "no file"),))
    assert "eve: nothing written, there is no score: the grading process died twice" in told and "dan" in told
    assert set(grades(book)) == {"ada"} and len(everything(book)["student"]) == 1


def test_a_student_is_found_by_the_number_in_the_lms(book: str) -> None:
    """And two hand-ins that are one student's are written for nobody, by name."""
    told = write(book, standing("lovelaceada", "LayerNorm.", "4711"))
    assert "1 new" in told and set(grades(book)) == {"ada"}
    told = write(book, standing("lovelaceada", "", "4711"), standing("ada"))
    assert "lovelaceada, ada are all ada there: not written" in told
    assert grades(book)["ada"]["LayerNorm"] == 0.0


def test_the_time_of_submission_gives_a_late_penalty(book: str, tmp_path: Path) -> None:
    """With the page's lines, nbgrader's own late plugin takes the points of who is late."""
    handed = tmp_path / "submitted"
    for student, time in {"ada": "2026-03-02 12:00:00 UTC", "bo": "2026-03-01T01:30:00+01:00", "eve": "soon"}.items():
        (handed / student / NAME).mkdir(parents=True)
        (handed / student / NAME / "timestamp.txt").write_text(time, encoding="utf-8")
    with opened(book) as opened_book:
        opened_book.add_assignment(NAME, duedate="2026-03-01 12:00:00 UTC")  # as the formgrader makes it
    students = [standing(name, origin=f"{name}/{NAME}/transformer_block.py") for name in ("ada", "bo", "eve")]
    told = write(book, *students, source=handed)
    assert "eve: eve/ps1/timestamp.txt is no time" in told and "bo:" not in told
    assert "0 changed, 3 as they were" in write(book, *students, source=handed)
    text = PAGE.read_text(encoding="utf-8")
    (code,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    told = {"sqlite:///gradebook.db": f"sqlite:///{book}", '", "transformer_block"\n': f'", "{NAME}"\n'}
    for old, new in told.items():
        assert old in code
        code = code.replace(old, new)
    exec(code, {})
    with opened(book) as opened_book:
        found = {s.student_id: s for s in opened_book.assignment_submissions(NAME)}
        penalties = {student: submission.late_submission_penalty for student, submission in found.items()}
        assert penalties == {"ada": 100.0, "bo": 0.0, "eve": 0.0}
        assert str(found["bo"].timestamp) == "2026-03-01 00:30:00" and found["eve"].timestamp is None


def test_the_formgrader_shows_the_marks(book: str, tmp_path: Path) -> None:
    """What its pages ask for has our numbers, once the course folder has the assignment's name in source/."""
    (tmp_path / "source" / NAME).mkdir(parents=True)
    write(book, standing("ada", "LayerNorm."), standing("bo"))
    directory = import_module("nbgrader.coursedir").CourseDirectory(root=str(tmp_path), db_url=f"sqlite:///{book}")
    api = import_module("nbgrader.apps.api").NbGraderAPI(directory)
    (assignment,) = api.get_assignments()
    assert (assignment["name"], assignment["max_score"], assignment["average_score"]) == (NAME, 100.0, 91.0)
    assert {s["id"]: s["score"] for s in api.get_students()} == {"ada": 82.0 + 4.0, "bo": 100.0}


def test_an_assignment_with_other_cells_is_refused(book: str) -> None:
    """Before anything is graded and when it would be written, with both lists of cells; no row changes."""
    before = everything(book)
    with pytest.raises(UsageError, match=r"another assignment ps0: 1 notebook with c 5; .*LayerNorm 18"):
        gradebook.check(book, "ps0")
    with pytest.raises(UsageError, match="--gradebook-assignment"):
        gradebook.write(book, "ps0", cohort(standing("ada")), NOWHERE)
    assert everything(book) == before


@pytest.mark.parametrize(
    ("place", "why"),
    [
        ("nosuch://host/name", "no URL of a database|cannot use"),
        ("one two://", "no URL of a database"),
        ("sqlite://", "names no file"),
        ("mysql+nosuch://host/name", "cannot use|driver"),
        ("postgresql://me:secret@localhost:1/name", "cannot use the gradebook postgresql.psycopg://me:...@localhost"),
        ("missing/folder/book.db", "unable to open"),
    ],
)
def test_a_database_that_cannot_be_opened(place: str, why: str) -> None:
    """It is named, without its password."""
    with pytest.raises(UsageError, match=why) as raised:
        gradebook.check(place, NAME)
    assert "secret" not in str(raised.value)


def test_an_unknown_database_of_a_server(postgres: Path) -> None:
    """The server's own words."""
    with pytest.raises(UsageError, match='database "nosuch" does not exist'):
        gradebook.check(f"postgresql://grader@/nosuch?host={postgres}", NAME)


def test_a_database_of_another_program_is_left_alone(tmp_path: Path) -> None:
    """No table is made in it."""
    place = tmp_path / "other.db"
    with sqlite3.connect(place) as connection:
        connection.execute("CREATE TABLE bookmarks (url TEXT)")
    connection.close()
    before = place.read_bytes()
    with pytest.raises(UsageError, match="another program"):
        gradebook.check(str(place), NAME)
    assert place.read_bytes() == before
    (tmp_path / "text.db").write_text("no database at all, and longer than a header", encoding="utf-8")
    with pytest.raises(UsageError, match="not a database"):
        gradebook.check(str(tmp_path / "text.db"), NAME)


def test_a_missing_extra_is_named_before_anything_is_graded(tmp_path: Path) -> None:
    """With what to install."""
    (tmp_path / "path" / "nbgrader").mkdir(parents=True)
    (tmp_path / "path" / "nbgrader" / "__init__.py").write_text("raise ImportError('no nbgrader here')")
    folder = handed_in(tmp_path / "class", ["ada_assert_helper"])
    done = ran("class", folder, "--gradebook", tmp_path / "book.db", ahead=tmp_path / "path")
    assert done.returncode == 2 and "transformer-block-kit[gradebook]" in done.stderr, done.stderr
    assert not (tmp_path / "class-run").exists() and not (tmp_path / "book.db").exists()
