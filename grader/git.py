"""Reads commits, trees and blobs of a git repository, and runs nothing of it: no hook, filter, driver or fetch.

Only commands that read objects are used, and never one that writes a working tree. The user's and the system's
settings, replacement objects and what the environment says of git are left out.
"""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from grader.records import GraderFault, UsageError

SECONDS = 60  # for one command: a tree can be made that takes for ever to list
MOST = 2**20  # bytes of one answer
PATHS, FOLDERS = 1_000, 500  # that are looked at in one change
TREE, ABSENT = "040000", "000000"  # git's modes
_SETTINGS = {
    "core.fsmonitor": "false",
    "core.hooksPath": os.devnull,
    "core.attributesFile": os.devnull,
    "core.useReplaceRefs": "false",
    "core.warnAmbiguousRefs": "true",
    "protocol.allow": "never",
}
_ENVIRONMENT = {
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_SYSTEM": os.devnull,
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_GRAFT_FILE": os.devnull,
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "",
    "GIT_LITERAL_PATHSPECS": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}
_INHERITED = ("PATH", "SYSTEMROOT", "TMPDIR", "TEMP")
_Differing: TypeAlias = tuple[tuple[str, str], tuple[str, str], str, str]
_ID = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")


@dataclass(frozen=True)
class Change:
    """One path that differs between two commits; ``status`` is git's letter: A, D, M, T."""

    path: str
    status: str


@dataclass(frozen=True)
class Entry:
    """What a commit has at a path: git's mode (six octal digits), and the object."""

    mode: str
    id: str


class Repository:
    """The repository around a folder, for reading."""

    def __init__(self, folder: Path) -> None:
        """Raises UsageError when there is none."""
        around = (parent / ".git" for parent in (folder.resolve(), *folder.resolve().parents))
        found = next((path for path in around if path.exists()), None)
        if found is None:
            raise UsageError(f"{folder} is not in a git repository; run this in a checkout of the base branch")
        self._git_dir = found  # named to git, which then does not ask whose folder it is

    @property
    def shallow(self) -> bool:
        return self._text("rev-parse", "--is-shallow-repository").strip() == "true"

    def commit(self, name: str) -> str:
        """The id of the commit that ``name`` stands for. Raises UsageError when it stands for none, or for several."""
        if not name or name.startswith("-") or not name.isprintable():
            raise UsageError(f"{name!r} is not a name of a commit; give a commit's id or a branch")
        question = f"{name}^{{commit}}\n".encode("utf-8", "surrogateescape")  # on a line, so never an option
        _, output, said = self._run("cat-file", "--batch-check=%(objectname)", stdin=question)
        found = output.decode("utf-8", "replace").strip()
        if "ambiguous" in found or "is ambiguous" in said:
            raise UsageError(f"{name!r} can mean more than one commit; give the commit's id")
        if not _ID.fullmatch(found):
            raise UsageError(f"there is no commit {name!r} in this repository; fetch it first (git fetch origin ...)")
        return found

    def merge_bases(self, one: str, other: str) -> tuple[str, ...]:
        """The best common ancestors of two commits: none, one, or several."""
        return tuple(self._text("merge-base", "--all", one, other, expected=(0, 1)).split())

    def contains(self, commit: str, ancestor: str) -> bool:
        """Whether ``ancestor`` is ``commit`` or comes before it."""
        return ancestor in self.merge_bases(commit, ancestor)

    def changes(self, old: str, new: str) -> tuple[tuple[Change, ...], bool]:
        """What differs between two commits, path by path without looking for renames; and whether that is all.

        Folder by folder and no further than PATHS and FOLDERS: a few trees can stand for any number of paths.
        """
        nothing = self._text("hash-object", "-t", "tree", "--stdin").strip()  # the empty tree, which git always has
        found: list[Change] = []
        pending, whole = [("", old, new)], True
        for _ in range(FOLDERS):
            if not pending or len(found) > PATHS:
                break
            folder, *trees = pending.pop()
            entries, listed = self._differing(*trees)
            whole = whole and listed
            for modes, ids, status, name in entries:
                if TREE in modes:
                    one, other = (tree if mode == TREE else nothing for mode, tree in zip(modes, ids))
                    pending.append((f"{folder}{name}/", one, other))
                if set(modes) - {TREE, ABSENT}:
                    found.append(Change(folder + name, status))
        return tuple(sorted(found, key=lambda change: change.path)), whole and not pending

    def _differing(self, old: str, new: str) -> tuple[list[_Differing], bool]:
        """The entries of two trees that differ, as modes, objects, status and name; and whether these are all."""
        options = ("-z", "--raw", "--no-renames", "--no-ext-diff", "--no-textconv", "--ignore-submodules=none")
        _, output, _ = self._run("diff-tree", *options, old, new)
        parts = output.decode("utf-8", "surrogateescape").split("\0")
        told = [(line[1:].split(" "), name) for line, name in zip(parts[:-1:2], parts[1:-1:2])]
        found = [((one, other), (old_id, new_id), status, name) for (one, other, old_id, new_id, status), name in told]
        return found, len(output) <= MOST

    def entry(self, commit: str, path: str) -> Entry | None:
        """What a commit has at exactly this path."""
        listed = self._text("ls-tree", "-z", "--full-tree", commit, "--", path)
        for line in listed.split("\0"):
            told, _, name = line.partition("\t")
            if name == path:
                mode, _, object_id = told.split()
                return Entry(mode, object_id)
        return None

    def size(self, blob: str) -> int:
        """Bytes of a blob, without reading it."""
        return int(self._text("cat-file", "-s", blob))

    def blob(self, blob: str) -> bytes:
        """A blob's bytes as they were committed, MOST of them at most."""
        return self._checked("cat-file", "blob", blob)[:MOST]

    def _text(self, *arguments: str, expected: tuple[int, ...] = (0,)) -> str:
        return self._checked(*arguments, expected=expected).decode("utf-8", "surrogateescape")

    def _checked(self, *arguments: str, expected: tuple[int, ...] = (0,)) -> bytes:
        status, output, said = self._run(*arguments)
        if status not in expected:
            raise GraderFault(f"git {arguments[0]} failed: {said or f'status {status}'}; is the fetch complete?")
        return output

    def _run(self, *arguments: str, stdin: bytes = b"") -> tuple[int, bytes, str]:
        """Status, MOST + 1 bytes of output at most, and the end of what was said. Raises GraderFault after SECONDS."""
        settings = [part for key, value in _SETTINGS.items() for part in ("-c", f"{key}={value}")]
        command = ["git", f"--git-dir={self._git_dir}", "--no-pager", *settings, *arguments]
        with tempfile.TemporaryFile() as said, tempfile.TemporaryFile() as asked:
            asked.write(stdin)
            asked.seek(0)
            process = _started(command, asked.fileno(), said.fileno())
            timer = threading.Timer(SECONDS, process.kill)
            timer.start()
            with process:
                output = process.stdout.read(MOST + 1) if process.stdout else b""
                if len(output) > MOST:
                    process.kill()
            late = not timer.is_alive()
            timer.cancel()
            if late:
                raise GraderFault(f"git {arguments[0]} did not end in {SECONDS} s; look at the change by hand")
            said.seek(0)
            return process.returncode, output, said.read(MOST).decode("utf-8", "replace").strip()[-500:]


def _started(command: list[str], asked: int, said: int) -> subprocess.Popen[bytes]:
    environment = {name: os.environ[name] for name in _INHERITED if name in os.environ} | _ENVIRONMENT
    try:
        return subprocess.Popen(command, stdin=asked, stdout=subprocess.PIPE, stderr=said, env=environment)
    except OSError as error:
        raise UsageError(f"cannot start git: {error.strerror}; install it") from None
