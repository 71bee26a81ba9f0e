"""Files below a folder or in an archive: listed without following links, read under a cap, never unpacked."""

from __future__ import annotations

import os
import stat
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol

from grader.records import UsageError
from grader.submission import most_bytes

MOST = 200_000  # files; a listing that long is no class
_IGNORED = {"__macosx", "__pycache__", "thumbs.db", "desktop.ini", "node_modules", "venv"}


@dataclass(frozen=True)
class File:
    """One file's path below the root. What cannot be a hand-in is listed too, so that it can be named.

    A link is never opened; a folder that is empty or cannot be read ends with an empty part. ``twice``: an archive has
    several members of this name, and only one would be read.
    """

    parts: tuple[str, ...]
    kind: Literal["file", "twice", "link", "empty", "unreadable"] = "file"

    @property
    def path(self) -> str:
        return "/".join(self.parts)


class Listing(Protocol):
    """What a roster is made from."""

    name: str

    def files(self) -> tuple[File, ...]: ...

    def read(self, path: str) -> bytes: ...


def listing(path: Path) -> Listing:
    """The folder or zip at ``path``. Raises UsageError when it is neither."""
    if path.is_dir():
        return Folder(path)
    if path.is_file() and zipfile.is_zipfile(path):
        return Archive(path)
    if path.exists():
        raise UsageError(f"cannot take {path} for a class: it is neither a folder of hand-ins nor a zip of one")
    raise UsageError(f"there is no {path}; give the folder (or the zip) that holds the class's hand-ins")


def is_junk(parts: tuple[str, ...]) -> bool:
    """Whether a path is what systems and editors leave behind."""
    return any(part.startswith(".") or part.lower() in _IGNORED for part in parts)


def _whole(files: Iterator[File]) -> tuple[File, ...]:
    found = []
    for file in files:
        if not is_junk(file.parts):
            found.append(file)
            if len(found) > MOST:
                raise UsageError(f"more than {MOST:,} files: is this the folder of the hand-ins?")
    return tuple(sorted(found, key=lambda file: file.parts))


class Folder:
    """A folder on disk."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self.name = root.resolve().name

    def files(self) -> tuple[File, ...]:
        """Every file below it, links as links, junk left out."""
        return _whole(self._walk(()))

    def _walk(self, parts: tuple[str, ...]) -> Iterator[File]:
        try:
            entries = [entry for entry in os.scandir(self._root.joinpath(*parts)) if not is_junk((entry.name,))]
        except OSError as error:
            if not parts:
                raise UsageError(f"cannot read {self._root}: {error.strerror}") from None
            yield File((*parts, ""), "unreadable")
            return
        if parts and not entries:
            yield File((*parts, ""), "empty")
        for entry in entries:
            inside = (*parts, entry.name)
            if entry.is_dir(follow_symlinks=False):
                yield from self._walk(inside)
            else:
                yield File(inside, "file" if entry.is_file(follow_symlinks=False) else "link")

    def read(self, path: str) -> bytes:
        """At most most_bytes(path) + 1 bytes of a regular file. Raises UsageError when it cannot be read."""
        flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
        try:
            descriptor = os.open(self._root / path, flags)
            with os.fdopen(descriptor, "rb") as file:
                if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                    raise UsageError(f"cannot read {path}: it is not a regular file")
                return file.read(most_bytes(path) + 1)
        except (OSError, ValueError) as error:
            raise UsageError(f"cannot read {path}: {getattr(error, 'strerror', None) or error}") from None


class Archive:
    """A zip, read member by member in memory; its paths are names only."""

    def __init__(self, path: Path) -> None:
        self.name = path.stem
        try:
            self._zip = zipfile.ZipFile(path)
        except (OSError, zipfile.BadZipFile, ValueError) as error:
            raise UsageError(f"cannot read {path}: {error}") from None
        self._members = {_parts(info.filename): info for info in self._zip.infolist() if not info.is_dir()}
        self._counts = Counter(_parts(info.filename) for info in self._zip.infolist() if not info.is_dir())
        self._folders = {_parts(info.filename) for info in self._zip.infolist() if info.is_dir()}

    def files(self) -> tuple[File, ...]:
        """Every member, links as links, junk left out."""
        return _whole(self._walk())

    def _walk(self) -> Iterator[File]:
        for parts, info in self._members.items():
            if parts:
                link = stat.S_ISLNK(info.external_attr >> 16)
                yield File(parts, "link" if link else "twice" if self._counts[parts] > 1 else "file")
        paths = [*(parts for parts in self._members if not is_junk(parts)), *self._folders]
        filled = {parts[:depth] for parts in paths for depth in range(len(parts))}
        yield from (File((*parts, ""), "empty") for parts in self._folders - filled if parts)

    def read(self, path: str) -> bytes:
        """At most most_bytes(path) + 1 bytes of a member, however much it would unpack to."""
        try:
            with self._zip.open(self._members[_parts(path)]) as member:
                return member.read(most_bytes(path) + 1)
        except (OSError, zipfile.BadZipFile, zlib.error, EOFError, KeyError, RuntimeError, ValueError) as error:
            raise UsageError(f"cannot read {path} in the archive: {error}") from None


def _parts(name: str) -> tuple[str, ...]:
    return tuple(part for part in name.replace("\\", "/").split("/") if part not in ("", ".", ".."))
