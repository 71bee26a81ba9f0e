"""Takes the hand-in, and nothing else, out of the head of a pull request; or says why the change is not graded.

The change is what lies between the one common ancestor of base and head, and the head; renames count as a path gone
and another added. What may change is listed, so what nobody thought of is refused.
"""

from __future__ import annotations

import shlex
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from grader.git import Change, Repository
from grader.records import Reason, Submission, Ungraded, UsageError
from grader.submission import MAX_BYTES, from_bytes

TOLD = 20  # paths that are named; the rest are counted
_WHAT = {
    "grader": "the grader",
    "solution": "the solution",
    "tests": "the kit's tests",
    "exercise": "not the hand-in",
    ".github": "workflows and pages of the course",
    ".ci": "what CI runs",
    ".gitlab-ci.yml": "what CI runs",
    "Makefile": "the commands",
    "pyproject.toml": "settings",
    ".gitattributes": "settings of git",
    ".gitmodules": "settings of git",
}
_GRADING = {"grader", ".github", ".gitlab-ci.yml"}
_VERB = {"A": "was added", "D": "was deleted", "T": "became another kind of file"}
_KIND = {"120000": "a symbolic link", "160000": "a submodule", "040000": "a folder"}
_CAPITALS = "A file system that ignores this would mix them up."


@dataclass(frozen=True)
class Allowed:
    """What a change may touch: the hand-in, and files or folders (these end in "/") beside it."""

    file: str
    beside: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Raises UsageError for what is not a path from the root of a repository, or may never be allowed."""
        for path in (self.file, *self.beside):
            parts = path.removesuffix("/").split("/")
            if not path.isprintable() or path.startswith("-") or {"", ".", "..", ".git"} & set(parts):
                raise UsageError(f"{path!r} is not a path from the root of the repository, such as exercise/notes.md")
            if _folded(parts[0]) in _GRADING:
                raise UsageError(f"{path!r} cannot be left to pull requests: what is there decides how they are graded")
        if self.file.endswith("/"):
            raise UsageError(f"{self.file!r} is a folder; give the file that is handed in")

    def allows(self, path: str) -> bool:
        return path == self.file or any(
            path.startswith(one) if one.endswith("/") else path == one for one in self.beside
        )


def hand_in(repository: Repository, base: str, head: str, allowed: Allowed) -> Submission | Ungraded:
    """The hand-in as the head has it, or why nothing is graded.

    Raises UsageError for names that are no commits, for a checkout without its history, and in a checkout of the head.
    """
    if repository.shallow:
        raise UsageError(
            "this checkout has no history to compare with; fetch all of it (actions/checkout: `fetch-depth: 0`, "
            "GitLab: `GIT_DEPTH: 0`, by hand: `git fetch --unshallow`)"
        )
    old, new = repository.commit(base), repository.commit(head)
    _need_checkout_without(new, old, repository)
    common = repository.merge_bases(old, new)
    if len(common) != 1:
        return Ungraded("refused", allowed.file, (_no_way_to_compare(len(common)),))
    changes, complete = repository.changes(common[0], new)
    reasons = [*_outside(changes, complete, allowed, common[0]), *_of_the_hand_in(repository, new, allowed.file)]
    if reasons:
        return Ungraded("refused", allowed.file, tuple(reasons))
    entry = repository.entry(new, allowed.file)
    assert entry is not None
    return from_bytes(PurePosixPath(allowed.file).name, repository.blob(entry.id))


def _need_checkout_without(head: str, base: str, repository: Repository) -> None:
    """The grader that runs here must not be the pull request's own."""
    if repository.contains(repository.commit("HEAD"), head) and not repository.contains(base, head):
        raise UsageError(
            "this is a checkout of the head, or of head and base merged, so its grader cannot be trusted; "
            "check out the base branch and fetch the head without checking it out (git fetch origin HEAD-COMMIT)"
        )


def _no_way_to_compare(common: int) -> Reason:
    if common:
        found = f"base and head have {common} best common ancestors, so what was changed is not one thing"
        return Reason("", found, "Merge the base branch into yours, and push again:", "git merge origin/main")
    found = "base and head have no commit in common: this branch was not made from the base branch"
    return Reason("", found, "Make a branch from the base branch, and put your hand-in there.")


def _outside(changes: Sequence[Change], complete: bool, allowed: Allowed, old: str) -> list[Reason]:
    outside = [change for change in changes if not allowed.allows(change.path)]
    reasons = [_about(change, allowed.file, old) for change in _of_note(outside)[:TOLD]]
    if len(outside) > TOLD or not complete:
        more = f"{len(outside) - TOLD} more" if complete else "very many more"
        reasons.append(Reason("", f"{more} paths that are not the hand-in were changed", "Put them back, too."))
    return reasons


def _of_note(outside: Iterable[Change]) -> list[Change]:
    """What the course is made of first."""
    return sorted(outside, key=lambda change: change.path.partition("/")[0] not in _WHAT)


def _about(change: Change, file: str, old: str) -> Reason:
    verb = _VERB.get(change.status, "was changed")
    if _folded(change.path) == _folded(file):
        return Reason(change.path, f"{verb}; it only looks like {file}. {_CAPITALS}", f"Name it {file}, as it was.")
    what = _WHAT.get(change.path.partition("/")[0], "not the hand-in")
    path = shlex.quote(change.path) if change.path.isascii() and change.path.isprintable() else "PATH"
    if change.status == "A":
        return Reason(change.path, f"{verb} ({what})", "Take it out:", f"git rm --cached -- {path}")
    return Reason(change.path, f"{verb} ({what})", "Put it back:", f"git checkout {old[:12]} -- {path}")


def _folded(path: str) -> str:
    """The path as a careless file system takes it: without case, forms of characters, dots and spaces at ends."""
    parts = unicodedata.normalize("NFKC", path).casefold().split("/")
    return "/".join(part.rstrip(". ") for part in parts)


def _of_the_hand_in(repository: Repository, head: str, file: str) -> list[Reason]:
    """What stands at the hand-in's path, if it is not a file that can be read."""
    entry = repository.entry(head, file)
    if entry is None:
        return [Reason(file, "is not in the head: it was deleted, renamed or never there", f"Hand in {file}.")]
    if not entry.mode.startswith("100"):
        kind = _KIND.get(entry.mode, "not a file")
        return [Reason(file, f"is {kind}, not a file", "Commit the file itself under this name.")]
    size = repository.size(entry.id)
    if size > MAX_BYTES:
        found = f"has {size:,} bytes; {MAX_BYTES:,} are the most, and a filled-in stub has about 10,000"
        return [Reason(file, found, "Is it the right file?")]
    return []
