"""The store of a run: one JSON line per graded file, appended and forced to disk, checked whenever it is read.

A crash can tear the last line only; a torn line was never counted as done, and is cut off before the next is written.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from grader.cohort import Key
from grader.entry import Entry, from_line
from grader.forms import BadForm
from grader.records import UsageError


class Store:
    """The lines of one file, by key. As a context with ``write`` it is the only one that may append."""

    def __init__(self, path: Path, write: bool = False) -> None:
        self.path, self._write = path, write
        self._offsets: dict[Key, int] = {}
        self._evidence: dict[tuple[str, int], Key] = {}  # by file and seed: the last that has observations
        self._latest: dict[tuple[str, int], Key] = {}

    def __enter__(self) -> Store:
        """Open and read it all. Raises UsageError when another process writes, or a line is not of the form."""
        try:
            if self._write:
                self._file: BinaryIO = os.fdopen(os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600), "r+b")
            else:
                self._file = self.path.open("rb")
        except OSError as error:
            raise UsageError(f"cannot open {self.path}: {error.strerror}") from None
        try:
            if self._write:
                _lock(self._file, self.path)
            self._end = self._index()
            if self._write:
                self._file.truncate(self._end)
        except BaseException:
            self._file.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()  # which gives up the lock

    def _index(self) -> int:
        """Where the last whole line ends."""
        end = number = 0
        self._file.seek(0)
        for number, line in enumerate(self._file, 1):
            try:
                found = from_line(line)
            except BadForm as error:
                if self._file.read(1):
                    raise UsageError(f"{self.path}, line {number} is damaged: {error}; take that line out") from None
                break  # the last one, torn by a crash
            if not line.endswith(b"\n"):
                break
            self._take(found, end)
            end += len(line)
        return end

    def _take(self, found: Entry, offset: int) -> None:
        key, file = found.key, (found.key.hand_in, found.key.seed)
        self._offsets[key] = offset
        self._latest[file] = key
        if found.packed:
            self._evidence[file] = key

    def append(self, line: bytes) -> Entry:
        """Write one line and force it to disk; only then is it done. Raises BadForm before anything is written."""
        found = from_line(line)
        self._file.seek(self._end)
        self._file.write(line)
        self._file.flush()
        os.fsync(self._file.fileno())
        self._take(found, self._end)
        self._end += len(line)
        return found

    def __contains__(self, key: Key) -> bool:
        return key in self._offsets

    def __len__(self) -> int:
        return len(self._offsets)

    def __getitem__(self, key: Key) -> Entry:
        return from_line(self._line(key))

    def __iter__(self) -> Iterator[Key]:
        return iter(self._offsets)

    def _line(self, key: Key) -> bytes:
        self._file.seek(self._offsets[key])
        return self._file.readline()

    def latest(self, hand_in: str, seed: int) -> Entry | None:
        """The last result of a file under a seed, whichever kit it was."""
        key = self._latest.get((hand_in, seed))
        return None if key is None else self[key]

    def evidence(self, hand_in: str, seed: int) -> Entry | None:
        """The last line of a file under a seed that holds observations."""
        key = self._evidence.get((hand_in, seed))
        return None if key is None else self[key]


def _lock(file: BinaryIO, path: Path) -> None:
    """Hold the file until it is closed, or this process dies."""
    try:
        try:
            import fcntl
        except ImportError:  # Windows
            import msvcrt

            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
        else:
            fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise UsageError(f"{path} is being written by another grader; wait for it, or stop it") from None
