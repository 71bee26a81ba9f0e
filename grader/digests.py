"""Digests of the kit: one changes with all that marks depend on, the other with all that answers depend on."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from pathlib import Path

from grader.kit import Kit

# Files that marks do not depend on: faces and the running of many. Any other change is a change of the kit.
OUTER = frozenset(
    f"{name}.py"
    for name in (
        *("artifact", "audit", "autograder", "class_command", "classroom", "cluster", "cohort", "comment", "corpus"),
        *("digests", "face", "flakes", "git", "github_api", "gradebook", "gradebook_csv", "gradebook_database"),
        *("listing", "nbgrader_marks", "notebook", "parallel", "pool", "pull_request"),
        *("recording", "regrade", "roster", "store", "tally", "writing"),
        *("class_findings", "class_page", "class_results", "fingerprints", "similarity"),
    )
)
OUTER_FOLDERS = ("cli/", "exercise/", "handout/", "render/")
ASKING = ("worker/", "sandbox.py", "process.py", "isolation.py", "pasted.py")  # what answers depend on, in the grader


def kit_digest(kit: Kit) -> str:
    """Changes with every file that marks may depend on."""
    return _digest(kit, lambda name: name.rpartition("/")[2] not in OUTER and not name.startswith(OUTER_FOLDERS))


def answers_digest(kit: Kit) -> str:
    """Changes with every file that an answer may depend on, beside the question and whose answer it is."""
    return _digest(kit, lambda name: name.startswith(ASKING))


def _digest(kit: Kit, counts: Callable[[str], bool]) -> str:
    package = Path(__file__).resolve().parent
    own = {name: path for name, path in _below(package).items() if counts(name)}
    given = {name: path for name, path in _below(kit.exercise).items() if "/" not in name}
    parts = {"grader": own, "exercise": given, "solution": _below(kit.solution) if kit.solution else {}}
    total = hashlib.sha256()
    for folder, files in parts.items():
        for name, path in sorted(files.items()):
            total.update(f"{folder}/{name}".encode() + b"\0" + hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()


def _below(folder: Path) -> Mapping[str, Path]:
    found = (path for path in folder.rglob("*") if path.suffix in (".py", ".gz"))
    return {path.relative_to(folder).as_posix(): path for path in found}
