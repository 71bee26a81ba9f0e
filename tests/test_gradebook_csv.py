"""Marks as CSV: what is written is read again, no cell is a formula, and a Canvas gradebook is filled where sure."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.cohort import Casualty, Cohort, HandIn, Mark, Standing, Trouble
from grader.gradebook_csv import canvas, canvas_rows, filled, plain, safe, written
from grader.records import COMPONENTS, UsageError
from tests.class_runs import stood

TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=20)
HEADER = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "Block (4711)", "Other (4712)"]
POSSIBLE = ["    Points Possible", "", "", "", "", "100", "10"]
PEOPLE = [
    ["Lovelace, Ada", "11", "s11", "ada", "A", "", "3"],
    ["Özil, Bo", "12", "s12", "bo@uni.example", "A", "50", ""],
    ["Lee, Kim", "13", "s13", "kim1", "A", "", ""],
    ["Lee, Kim", "14", "s14", "kim2", "B", "", ""],
    ["Student, Test", "99", "", "", "A", "", ""],
]
ROWS = [HEADER, POSSIBLE, *PEOPLE]


def read(text: str) -> list[list[str]]:
    """As the csv module reads it."""
    return list(csv.reader(io.StringIO(text, newline=""), strict=True))


def cohort(*standings: Standing, casualties: tuple[Casualty, ...] = (), troubles: tuple[Trouble, ...] = ()) -> Cohort:
    """A finished class."""
    return Cohort(standings, casualties, troubles, len(standings), 1.0)


def column(rows: list[list[str]]) -> dict[str, str]:
    """The last column by the ID of the row."""
    return {row[1]: row[-1] for row in rows[2:]}


@settings(deadline=None)
@given(st.lists(st.lists(TEXT, min_size=2, max_size=5), max_size=5))
def test_every_cell_survives(rows: list[list[str]]) -> None:
    """Commas, quotes and line breaks too."""
    assert read(written(rows, lambda cell: cell)) == rows


@settings(deadline=None)
@given(st.lists(st.lists(TEXT, min_size=2, max_size=5), min_size=1, max_size=5))
def test_no_cell_is_a_formula(rows: list[list[str]]) -> None:
    """None begins with what a spreadsheet runs, and what was put before it is one apostrophe."""
    for row, made in zip(rows, read(written(rows))):
        for cell, out in zip(row, made):
            assert out in (cell, f"'{cell}")
            assert not out.startswith(("=", "+", "@", "\t", "\r")) and (out[:1] != "-" or float(out) <= 0)


@pytest.mark.parametrize("cell", ["=1+1", "+1", "-1+1", "@SUM(A1)", "\t=1", "\r=1", "-", "-x", "--1", "-1e5"])
def test_a_formula_is_made_text(cell: str) -> None:
    """An apostrophe in front."""
    assert safe(cell) == f"'{cell}"


@pytest.mark.parametrize("cell", ["", "0", "-3", "-0.5", "12.5", "Ada", "a=b", "x-1"])
def test_other_cells_stay(cell: str) -> None:
    """Numbers stay numbers."""
    assert safe(cell) == cell


def test_the_plain_table_has_everyone() -> None:
    """Points per component for who was graded, no score at all for who was not."""
    marks = (Mark("LayerNorm.shape", "passed", 2, 2), Mark("LayerNorm.eps", "failed", 0, 3))
    done = cohort(
        stood('=b"o', 2, marks=marks),
        casualties=(Casualty(HandIn("cleo", (), "cleo.py"), "broken"),),
        troubles=(Trouble("ada, the first", "none"),),
    )
    rows = [dict(zip(row, cells)) for text in [plain(done)] for row, *rest in [read(text)] for cells in rest]
    assert [(row["student"], row["status"], row["score"]) for row in rows] == [
        ("'=b\"o", "graded", "2"),
        ("ada, the first", "not graded: no single file", ""),
        ("cleo", "not graded: grader", ""),
    ]
    assert [rows[0][name] for name in COMPONENTS] == ["0", "2", "0", "0"] and rows[2]["file"] == "cleo.py"


def test_canvas_is_filled_by_identifier_and_by_name() -> None:
    """By Canvas's number, by login, with and without the part after @, and by the name as a file has it."""
    done = cohort(stood("lovelaceada", 90, "11"), stood("bo", 80), stood("kim2", 70), stood("s13", 60))
    result = filled(ROWS, "Block", done)
    assert column(read(result.text)) == {"11": "90", "12": "80", "13": "60", "14": "70", "99": ""}
    assert result.remarks == ()


@pytest.mark.parametrize("student", ["lovelaceada", "Ada Lovelace", "Lovelace, Ada"])
def test_canvas_names(student: str) -> None:
    """In either order, without regard to case and signs."""
    assert column(read(filled(ROWS, "Block", cohort(stood(student, 90))).text))["11"] == "90"


def test_the_identity_columns_stay_as_they_were() -> None:
    """Only the assignment's column is beside them: Canvas leaves the others alone."""
    rows = read(filled(ROWS, "Block", cohort(stood("ada", 90))).text)
    assert [row[:5] for row in rows] == [row[:5] for row in ROWS]
    assert rows[0][5:] == ["Block (4711)"] and rows[1][5] == "100"


def test_who_has_no_hand_in_keeps_the_old_score() -> None:
    """And is counted."""
    result = filled(ROWS, "Block", cohort(stood("ada", 90)))
    assert column(read(result.text))["12"] == "50"
    assert result.remarks == ("3 students of the gradebook have no graded hand-in: their cells are as they were",)


def test_unmatched_and_ambiguous_students_are_told() -> None:
    """Nobody's score goes to somebody else."""
    done = cohort(stood("kimlee", 70), stood("nobody", 60), stood("ada", 90), stood("ada lovelace", 10))
    result = filled(ROWS, "Block", done)
    assert column(read(result.text)) == {"11": "", "12": "50", "13": "", "14": "", "99": ""}
    assert result.remarks[:3] == (
        "kimlee (70) fits 2 rows of the gradebook: not filled in",
        "nobody (60) is not in the gradebook: not filled in",
        "ada, ada lovelace all fit row 3 of the gradebook: not filled in",
    )


def test_an_unknown_column_becomes_a_new_assignment() -> None:
    """With its points possible, and a remark."""
    result = filled(ROWS, "New", cohort(stood("ada", 90)))
    rows = read(result.text)
    assert (rows[0][-1], rows[1][-1], column(rows)["11"]) == (
        "New",
        "100",
        "90",
    ) and "new assignment" in result.remarks[-1]


@pytest.mark.parametrize("title", ["Block", "Student"])
def test_a_title_that_is_not_one_assignment_is_a_usage_error(title: str) -> None:
    """Two assignments of that name, or a column that is none."""
    with pytest.raises(UsageError):
        filled([[*HEADER, "Block (9)"], POSSIBLE, *PEOPLE], title, cohort(stood("ada")))


@settings(deadline=None)
@given(st.lists(st.tuples(TEXT, st.integers(0, 10**6)), max_size=4))
def test_a_gradebook_survives_byte_for_byte_where_it_is_not_filled(
    tmp_path_factory: pytest.TempPathFactory, people: list[tuple[str, int]]
) -> None:
    """Read from a file as Canvas writes it, with a byte-order mark, and written again."""
    rows = [HEADER, POSSIBLE, *([f"{name}x", str(n), "", "", name, "5", ""] for name, n in people)]
    path = tmp_path_factory.mktemp("canvas") / "export.csv"
    path.write_bytes(b"\xef\xbb\xbf" + written(rows, lambda cell: cell).encode())
    assert canvas_rows(path) == rows
    assert read(filled(canvas_rows(path), "Block (4711)", cohort()).text) == [row[:6] for row in rows]


@pytest.mark.parametrize("data", [b"", b"a,b\n1,2\n", b"\xff\xfe", b'Student\n"open'])
def test_what_is_no_gradebook_is_a_usage_error(tmp_path: Path, data: bytes) -> None:
    """Before anything is graded."""
    (tmp_path / "export.csv").write_bytes(data)
    with pytest.raises(UsageError):
        canvas_rows(tmp_path / "export.csv")


def test_a_file_for_canvas_from_nothing() -> None:
    """The header, the row of points possible, then everyone by login."""
    assert read(canvas("Block", cohort(stood("ada", 90)))) == [
        ["Student", "SIS Login ID", "Section", "Block"],
        ["Points Possible", "", "", "100"],
        ["ada", "ada", "", "90"],
    ]
