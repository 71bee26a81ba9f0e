"""Finds the hand-ins of a class in the layouts that people have; whoever has none, or several, is named.

nbgrader's submitted/STUDENT/ASSIGNMENT/FILE, a folder or a file for each student, what Canvas, Moodle, Blackboard and
Brightspace let teachers download (names in file names), and a zip of any of these.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from grader.cohort import HandIn, Roster, Trouble
from grader.listing import File, Listing
from grader.records import UsageError

EXPECTED = "transformer_block.py"
_EXPECTED = re.compile(r"transformer_block\.(py|ipynb)")
_CODE = re.compile(r".+\.(py|ipynb)", re.IGNORECASE)
_GIVEN = {"engine.py", "nn.py", "__init__.py", "conftest.py", "setup.py"}
_WRAPPERS = {"submitted", "submissions", "submission", "hand-ins", "handins", "hand_ins"}
_COPY = r"(?:-\d{1,3}| ?\(\d{1,3}\))?"  # what systems put behind the name of a file handed in again

# What systems put around a file's own name: student, other names of the student, the file.
_SYSTEMS = (
    re.compile(r"(?P<student>.+?)_(?P<id>\d+)_assignsubmission_[a-z]+_?(?P<file>.*)"),  # Moodle
    re.compile(r"(?P<student>[^\W_]+)(?:_LATE)?_(?P<id>\d+)_\d+_(?P<file>.+)"),  # Canvas
    re.compile(r".+_(?P<student>[^_]+)_attempt_[\d-]{10,}(?:_(?P<file>.+)|\.txt)"),  # Blackboard
    re.compile(r"(?P<id>\d+)-\d+ - (?P<student>.+?) - .+? - (?P<file>.+)"),  # Brightspace, one file
    re.compile(r"(?P<id>\d+)-\d+ ?- ?(?P<student>[^-]+?) ?- .+"),  # Brightspace, a folder
    re.compile(rf"(?P<student>.+?)[-_ ]+(?P<file>transformer_block{_COPY}\.(?:py|ipynb))"),
)


@dataclass(frozen=True)
class _Named:
    """One file under the student whom it belongs to, with the rest of its path as the student knows it."""

    student: str
    alias: str
    own: tuple[str, ...]
    file: File


def find(listing: Listing, assignment: str | None = None) -> Roster:
    """Everyone's one file. Raises UsageError when nothing at all was found.

    ``assignment`` names one of several folders below each student's (nbgrader).
    """
    files = listing.files()
    depth = _wrapped(files, listing.name)
    kept = [file for file in files if not depth or file.parts[:depth] == files_root(files, depth)]
    groups: dict[tuple[str, str], list[_Named]] = {}
    for file in kept:
        named = _named(file, file.parts[depth:], listing.name)
        if assignment is None or len(named.own) < 2 or named.own[0] == assignment:
            groups.setdefault((named.student, named.alias), []).append(named)
    found = [_choose(group, _clash(key, groups)) for key, group in sorted(groups.items(), key=_alphabetical)]
    chosen = [one for one in found if one is not None]
    if not chosen:
        raise UsageError(_nothing(listing.name, files, assignment))
    return Roster(
        tuple(one for one in chosen if isinstance(one, HandIn)), tuple(one for one in chosen if isinstance(one, Trouble))
    )


def files_root(files: Sequence[File], depth: int) -> tuple[str, ...]:
    """The folder that holds the class: the first of its depth that is a wrapper, else the only one."""
    roots = dict.fromkeys(file.parts[:depth] for file in files if len(file.parts) > depth)
    return next((root for root in roots if root[-1].lower() in _WRAPPERS), next(iter(roots)))


def _wrapped(files: Sequence[File], name: str) -> int:
    """How many folders stand around the class: nbgrader's ``submitted``, or the folder that was zipped."""
    depth = 0
    while True:
        inside = [file for file in files if not depth or file.parts[:depth] == files_root(files, depth)]
        heads = {file.parts[depth] for file in inside if len(file.parts) > depth + 1}
        alone = len(heads) == 1 and not any(len(file.parts) == depth + 1 and _is_code(file) for file in inside)
        if not (any(head.lower() in _WRAPPERS for head in heads) or (alone and _holds_a_class(inside, depth, name))):
            return depth
        depth += 1


def _holds_a_class(files: Sequence[File], depth: int, name: str) -> bool:
    """Whether the one folder is not a student: it bears the archive's name, or several students are in it."""
    below = [file for file in files if len(file.parts) > depth + 1 and _is_code(file)]
    folders = {file.parts[depth + 1] for file in below if len(file.parts) > depth + 2}
    single = [file for file in below if len(file.parts) == depth + 2]
    if any(_EXPECTED.fullmatch(file.parts[-1]) for file in single):
        return False
    return len(folders) > 1 or len(single) > 1 or files[0].parts[depth] == name


def _is_code(file: File) -> bool:
    return _CODE.fullmatch(file.parts[-1]) is not None and file.parts[-1] not in _GIVEN


def _named(file: File, parts: tuple[str, ...], root: str) -> _Named:
    head, rest = parts[0], parts[1:]
    for pattern in _SYSTEMS:
        found = pattern.fullmatch(head)
        if found:
            groups = found.groupdict()
            own = rest or ((groups.get("file") or head),)
            return _Named(_text(groups["student"]), groups.get("id") or "", own, file)
    if rest:
        return _Named(_text(head), "", rest, file)
    if _EXPECTED.fullmatch(head):
        return _Named(_text(root), "", (head,), file)  # the folder of one student
    if head in _GIVEN:
        return _Named("", "", (head,), file)
    stem = head.rpartition(".")[0] if _CODE.fullmatch(head) else head
    suffix = head.rpartition(".")[2].lower() if _CODE.fullmatch(head) else ""
    return _Named(_text(stem), "", (f"transformer_block.{suffix}" if suffix else head,), file)


def _text(name: str) -> str:
    """A name as text; names of files may hold bytes that are none."""
    return name.encode("utf-8", "replace").decode("utf-8").strip()


def _choose(group: Sequence[_Named], student: str) -> HandIn | Trouble | None:
    """The one file of one student, or what is wrong. None for what is nobody's."""
    if not student or (len(group) == 1 and group[0].own == group[0].file.parts[-1:] and not _is_code(group[0].file)):
        return None  # a file at the top that is no code: a grade sheet, a read-me
    code = [one for one in group if one.file.kind == "file" and _is_code(one.file)]
    exact = [one for one in code if _EXPECTED.fullmatch(re.sub(_COPY + r"(?=\.\w+$)", "", one.own[-1]))]
    several = exact or code
    if len(several) > 1:
        return Trouble(student, f"several candidates, so none was graded: {_list(several)}")
    if not several:
        return Trouble(student, f"no {EXPECTED}: {_list(group)}")
    chosen = several[0]
    aliases = tuple(dict.fromkeys(name for name in (group[0].student, chosen.alias) if name and name != student))
    notices = () if exact else (f"The file is named {_text(chosen.own[-1])}, not {EXPECTED}; accepted.",)
    return HandIn(student, aliases, chosen.file.path, notices)


def _list(group: Iterable[_Named]) -> str:
    names = [_text(one.file.path) + (" (a link, not followed)" if one.file.kind == "link" else "") for one in group]
    return "found " + ", ".join(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")


def _clash(key: tuple[str, str], groups: Iterable[tuple[str, str]]) -> str:
    """The student's name, with the system's number where two have the same."""
    student, alias = key
    return f"{student} ({alias})" if alias and sum(other[0] == student for other in groups) > 1 else student


def _alphabetical(item: tuple[tuple[str, str], object]) -> tuple[str, str, str]:
    (student, alias), _ = item
    return student.casefold(), student, alias


def _nothing(name: str, files: Sequence[File], assignment: str | None) -> str:
    looked = f" with an assignment {assignment}" if assignment else ""
    seen = ", ".join(_text(file.path) for file in files[:5]) or "nothing"
    return (
        f"no hand-ins in {name}: looked for STUDENT.py, STUDENT/{EXPECTED} and submitted/STUDENT/ASSIGNMENT/{EXPECTED}"
        f"{looked}; found {seen}{' and more' if len(files) > 5 else ''}"
    )
