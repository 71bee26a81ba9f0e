"""Finds the hand-ins of a class in the layouts that people have; whoever has none, or several, is named.

nbgrader's submitted/STUDENT/ASSIGNMENT/FILE, a folder or a file for each student, what Canvas, Moodle, Blackboard and
Brightspace let teachers download (names in file names), and a zip of any of these.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from grader.cohort import HandIn, Roster, Trouble
from grader.listing import File, Listing
from grader.records import UsageError

EXPECTED = "transformer_block.py"
_EXPECTED = re.compile(r"transformer_block\.(py|ipynb)")
_CODE = re.compile(r".+\.(py|ipynb)", re.IGNORECASE)
_ARCHIVE = re.compile(r".+\.(zip|tar|tgz|tar\.\w+|rar|7z)", re.IGNORECASE)
_GIVEN = {"engine.py", "nn.py", "__init__.py", "conftest.py", "setup.py"}
_WRAPPERS = {"submitted", "submissions", "submission", "hand-ins", "handins", "hand_ins"}
_COPY = r"(?:-\d{1,3}| ?\(\d{1,3}\))?"  # what systems put behind the name of a file handed in again

# What systems put around a file's own name: student, other names of the student, the file.
_SYSTEMS = (
    re.compile(r"(?P<student>.+?)_(?P<id>\d+)_assignsubmission_[a-z]+_?(?P<file>.*)"),  # Moodle
    re.compile(r"(?P<student>[^\W_]+)(?:_LATE)?_(?P<id>\d+)_\d{4,}_(?P<file>.+)"),  # Canvas
    re.compile(r".+_(?P<student>[^_]+)_attempt_[\d-]{10,}(?:_(?P<file>.+)|\.txt)"),  # Blackboard
    re.compile(r"(?P<id>\d+)-\d+ - (?P<student>.+?) - .+? - (?P<file>.+)"),  # Brightspace, one file
    re.compile(r"(?P<id>\d+)-\d+ ?- ?(?P<student>[^-]+?) ?- .+"),  # Brightspace, a folder
    re.compile(rf"(?P<student>.+?)[-_ ]+(?P<file>transformer_block{_COPY}\.(?:py|ipynb))"),
    re.compile(r"transformer_block[-_ ]+\(?(?P<student>[^\W\d][^()]*)\)?\.(?:py|ipynb)"),
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
    prefix = _wrapping(files, listing.name)
    groups: dict[tuple[str, str], list[_Named]] = {}
    for file in _below(files, prefix):
        named = _named(file, file.parts[len(prefix) :], listing.name)
        if named.student:
            groups.setdefault((named.student, named.alias), []).append(named)
    taken = Counter(student for student, _ in groups)
    found = [_choose(groups[key], _called(key, taken), assignment) for key in sorted(groups, key=_alphabetical)]
    hand_ins = tuple(one for one in found if isinstance(one, HandIn))
    if not hand_ins:
        raise UsageError(_nothing(listing.name, files, assignment))
    return Roster(hand_ins, tuple(one for one in found if isinstance(one, Trouble)))


def of_one(listing: Listing, student: str) -> HandIn | Trouble:
    """The one file of a student to whom everything in the listing belongs, or what is wrong."""
    files = [_Named(student, "", file.parts, file) for file in listing.files() if file.parts[-1] not in _GIVEN]
    return _choose(files, student, None) if files else Trouble(student, f"no {EXPECTED}: found nothing")


def _below(files: Iterable[File], prefix: tuple[str, ...]) -> list[File]:
    return [file for file in files if file.parts[: len(prefix)] == prefix and len(file.parts) > len(prefix)]


def _wrapping(files: Sequence[File], name: str) -> tuple[str, ...]:
    """The folders around the class: nbgrader's ``submitted``, or the folder that was zipped."""
    prefix: tuple[str, ...] = ()
    while "submitted" not in prefix:
        inside, depth = _below(files, prefix), len(prefix)
        heads = list(dict.fromkeys(file.parts[depth] for file in inside if len(file.parts) > depth + 1))
        wrappers = [head for head in heads if head.lower() in _WRAPPERS]
        if len(heads) == 1 and not wrappers and _holds_a_class(inside, depth, name):
            wrappers = heads
        if not wrappers:
            break
        prefix = (*prefix, wrappers[0])
    return prefix


def _holds_a_class(files: Sequence[File], depth: int, name: str) -> bool:
    """Whether the only folder is not a student: it bears the archive's name, or several students are in it."""
    code = [file for file in files if _is_code(file)]
    below = [file for file in code if len(file.parts) == depth + 2]
    if len(below) + len([file for file in code if len(file.parts) > depth + 2]) < len(code):
        return False  # there is code beside it
    folders = {file.parts[depth + 1] for file in files if len(file.parts) > depth + 2}
    head = next(file.parts[depth] for file in files if len(file.parts) > depth + 1)
    exact = any(_EXPECTED.fullmatch(file.parts[-1]) for file in below)
    return not exact and (len(folders) > 1 or len(below) > 1 or head == name)


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
    return name.encode("utf-8", "replace").decode("utf-8")


def _choose(group: Sequence[_Named], student: str, assignment: str | None) -> HandIn | Trouble:
    """The one file of one student, or what is wrong."""
    meant = [one for one in group if assignment is None or len(one.own) < 2 or one.own[0] == assignment]
    if not meant:
        return Trouble(student, f"nothing for {assignment}: {_list(group)}")
    code = [one for one in meant if one.file.kind in ("file", "twice") and _is_code(one.file)]
    exact = [one for one in code if _EXPECTED.fullmatch(re.sub(_COPY + r"(?=\.\w+$)", "", one.own[-1]))]
    several = exact or code
    if len(several) > 1 or any(one.file.kind == "twice" for one in several):
        return Trouble(student, f"several candidates, so none was graded: {_list(several)}")
    if not several:
        return Trouble(student, f"no {EXPECTED}: {_list(meant)}")
    chosen = several[0]
    if _text(chosen.file.path) != chosen.file.path:
        return Trouble(student, f"the file's name holds bytes that are no text; rename it: {_list(several)}")
    aliases = tuple(dict.fromkeys(name for name in (chosen.student, chosen.alias) if name and name != student))
    notices = [] if exact else [f"The file is named {_text(chosen.own[-1])}, not {EXPECTED}; accepted."]
    archives = [_text(one.own[-1]) for one in meant if _ARCHIVE.fullmatch(one.own[-1])]
    notices += [f"The archive {name} beside the file was not opened." for name in archives]
    return HandIn(student, aliases, chosen.file.path, tuple(notices))


def _list(group: Iterable[_Named]) -> str:
    names = [_text(one.file.path) + _remark(one.file) for one in group]
    return "found " + ", ".join(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")


def _remark(file: File) -> str:
    if file.kind == "file":
        return " (an archive, not opened: unpack it)" if _ARCHIVE.fullmatch(file.parts[-1]) else ""
    return {
        "twice": " (several times in the archive)",
        "link": " (a link, not followed)",
        "empty": " (empty)",
        "unreadable": " (cannot be read)",
    }[file.kind]


def _called(key: tuple[str, str], taken: Mapping[str, int]) -> str:
    """The student's name, with the system's number where two have the same."""
    student, alias = key
    return f"{student} ({alias})" if alias and taken[student] > 1 else student


def _alphabetical(key: tuple[str, str]) -> tuple[str, str, str]:
    return key[0].casefold(), *key


def _nothing(name: str, files: Sequence[File], assignment: str | None) -> str:
    looked = f" with an assignment {assignment}" if assignment else ""
    seen = ", ".join(_text(file.path) for file in files[:5]) or "nothing"
    return (
        f"no hand-ins in {name}: looked for STUDENT.py, STUDENT/{EXPECTED} and submitted/STUDENT/ASSIGNMENT/{EXPECTED}"
        f"{looked}; found {seen}{' and more' if len(files) > 5 else ''}"
    )
