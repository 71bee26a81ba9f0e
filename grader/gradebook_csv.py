"""Marks as CSV: a plain table, and a gradebook exported from Canvas with one column filled in."""

from __future__ import annotations

import csv
import io
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.cohort import Cohort, Standing
from grader.records import COMPONENTS, UsageError

# What makes a spreadsheet take a cell for a formula; a tab or a carriage return may stand before it.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
_NAMES = ("ID", "SIS User ID", "SIS Login ID", "Student")  # by falling trust
POSSIBLE = "points possible"
MOST_BYTES = 64 * 2**20


@dataclass(frozen=True)
class Filled:
    """A Canvas gradebook with marks, and in words what did not find its place."""

    text: str
    remarks: tuple[str, ...]


def plain(cohort: Cohort) -> str:
    """One row per student, those without a score too; UTF-8, RFC 4180, safe to open in a spreadsheet."""
    rows: list[list[str]] = [["student", "status", "score", "max_score", *COMPONENTS, "misconceptions", "seed", "file"]]
    for one in cohort.standings:
        parts = [str(sum(m.points for m in one.marks if m.id.partition(".")[0] == name)) for name in COMPONENTS]
        named = "; ".join(name for _, name in one.misconceptions)
        score = [str(one.score), str(one.max_score)]
        rows.append([one.hand_in.student, "graded", *score, *parts, named, str(one.seed), one.hand_in.origin])
    empty = [""] * (len(COMPONENTS) + 4)
    rows += [[c.hand_in.student, "not graded: grader", *empty, c.hand_in.origin] for c in cohort.casualties]
    rows += [[t.student, "not graded: no single file", *empty, ""] for t in cohort.troubles]
    return written(rows[:1] + sorted(rows[1:], key=lambda row: (row[0].casefold(), row[0])))


def safe(cell: str) -> str:
    """The cell so that no spreadsheet runs it; numbers stay numbers, negative ones too."""
    return f"'{cell}" if cell.startswith(_FORMULA) and not _is_number(cell) else cell


def _is_number(cell: str) -> bool:
    whole, _, rest = cell.removeprefix("-").partition(".")
    return whole.isascii() and whole.isdigit() and (not rest or (rest.isascii() and rest.isdigit()))


def written(rows: Iterable[Sequence[str]], made_safe: Callable[[str], str] = safe) -> str:
    """The rows as text, quoted where needed, lines ended as RFC 4180 has it."""
    out = io.StringIO(newline="")
    csv.writer(out, lineterminator="\r\n").writerows([made_safe(cell) for cell in row] for row in rows)
    return out.getvalue()


def canvas_rows(path: Path) -> list[list[str]]:
    """The rows of a gradebook exported from Canvas. Raises UsageError when it is none."""
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
        rows = list(csv.reader(io.StringIO(data.decode("utf-8-sig"), newline=""), strict=True))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise UsageError(f"cannot read the Canvas gradebook {path}: {error}") from None
    if len(data) > MOST_BYTES or not rows or "Student" not in rows[0]:
        raise UsageError(f"{path} is no gradebook exported from Canvas: its first row has no column Student")
    return rows


def canvas(column: str, cohort: Cohort) -> str:
    """A file for Canvas's import without a gradebook to start from: students by their login."""
    most = next((s.max_score for s in cohort.standings), 100)
    rows = [["Student", "SIS Login ID", "Section", column], ["Points Possible", "", "", str(most)]]
    rows += [[s.hand_in.student, s.hand_in.student, "", str(s.score)] for s in cohort.standings]
    return written(rows)


def filled(rows: Sequence[Sequence[str]], column: str, cohort: Cohort) -> Filled:
    """The gradebook's identity columns and one assignment, with the scores put in; other assignments are left out.

    ``column`` is the assignment's title, with or without Canvas's number behind it; an unknown one becomes a new
    assignment. Who has no score keeps what was there.
    """
    header = list(rows[0])
    at = _column(header, column)
    people = [i for i, row in enumerate(rows) if i and not _is_special(row, header)]
    found, remarks = _matched([(i, _identity(rows[i], header)) for i in people], cohort.standings)
    kept = [i for i, name in enumerate(header) if name in (*_NAMES, "Section")]
    most = next((s.max_score for s in cohort.standings), 100)
    out = [[*(header[i] for i in kept), header[at] if at is not None else column]]
    for i, row in enumerate(rows[1:], 1):
        old = row[at] if at is not None and at < len(row) else ""
        if i in found:
            old = str(found[i].score)
        elif at is None and _is_possible(row, header):
            old = str(most)
        out.append([*(_cell(row, k) for k in kept), old])
    if at is None:
        remarks.append(f"the gradebook has no column {column}: importing the file makes a new assignment")
    return Filled(written(out, lambda cell: cell), tuple(remarks))


def _column(header: Sequence[str], column: str) -> int | None:
    """The assignment's column. Raises UsageError when the title fits several."""
    exact = [i for i, name in enumerate(header) if name == column]
    loose = exact or [i for i, name in enumerate(header) if name.rpartition(" (")[0] == column and name.endswith(")")]
    if len(loose) > 1:
        raise UsageError(f"several columns are called {column}: {', '.join(header[i] for i in loose)}; give one whole")
    if loose and header[loose[0]] in (*_NAMES, "Section"):
        raise UsageError(f"{column} is no assignment; the columns are: {', '.join(header)}")
    return loose[0] if loose else None


def _is_possible(row: Sequence[str], header: Sequence[str]) -> bool:
    return _cell(row, header.index("Student")).strip().casefold() == POSSIBLE


def _is_special(row: Sequence[str], header: Sequence[str]) -> bool:
    """The rows that are nobody: Points Possible, a row of remarks before it, the test student."""
    student = _cell(row, header.index("Student")).strip()
    return not student or student.casefold() in (POSSIBLE, "student, test")


def _cell(row: Sequence[str], index: int) -> str:
    return row[index] if index < len(row) else ""


def _identity(row: Sequence[str], header: Sequence[str]) -> list[set[str]]:
    """Every way to name the student of a row: first the identifiers, then the name as people and Canvas write it."""
    cells = {name: _cell(row, header.index(name)) for name in _NAMES if name in header}
    last, _, first = cells["Student"].partition(",")
    names = {cells["Student"], f"{first} {last}", f"{last}{first}"}
    login = cells.get("SIS Login ID", "")
    ids = {cells.get("ID", ""), cells.get("SIS User ID", ""), login, login.partition("@")[0]}
    return [{_plain(name) for name in group} - {""} for group in (ids, names)]


def _plain(name: str) -> str:
    """A name without case, accents, spaces and signs, as file names have it."""
    apart = unicodedata.normalize("NFKD", name.casefold())
    return "".join(c for c in apart if c.isalnum())


Person = tuple[int, list[set[str]]]  # a row's index and the names that it answers to


def _matched(people: Sequence[Person], standings: Sequence[Standing]) -> tuple[dict[int, Standing], list[str]]:
    """Rows by index with the one standing that is theirs; identifiers count before names, doubts are told."""
    indexes: tuple[dict[str, set[int]], ...] = ({}, {})
    for i, groups in people:
        for index, names in zip(indexes, groups):
            for name in names:
                index.setdefault(name, set()).add(i)
    remarks: list[str] = []
    claimed: dict[int, list[Standing]] = {}
    for one in standings:
        rows = _rows_of(one, indexes)
        if len(rows) == 1:
            claimed.setdefault(min(rows), []).append(one)
        else:
            why = f"fits {len(rows)} rows of the gradebook" if rows else "is not in the gradebook"
            remarks.append(f"{one.hand_in.student} ({one.score}) {why}: not filled in")
    for i, several in sorted(claimed.items()):
        if len(several) > 1:
            students = ", ".join(one.hand_in.student for one in several)
            remarks.append(f"{students} all fit row {i + 1} of the gradebook: not filled in")
    missing = len(people) - len(claimed)
    if missing:
        remarks.append(f"{missing} students of the gradebook have no graded hand-in: their cells are as they were")
    return {i: several[0] for i, several in claimed.items() if len(several) == 1}, remarks


def _rows_of(one: Standing, indexes: Iterable[Mapping[str, set[int]]]) -> set[int]:
    keys = [_plain(name) for name in (*one.hand_in.aliases, one.hand_in.student)]
    return next((rows for index in indexes for key in keys if (rows := index.get(key))), set())
