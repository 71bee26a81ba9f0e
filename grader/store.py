"""The store of a run: one JSON line per graded file, appended and forced to disk, checked whenever it is read.

A line holds the report and, packed, all that was observed, so that it can be judged again. A crash can tear the last
line only; a torn line was never counted as done, and is cut off before the next is written.
"""

from __future__ import annotations

import base64
import json
import os
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO, Literal

from grader.cohort import Key
from grader.forms import BadForm, from_form, loads, to_form
from grader.records import Observation, Report, UsageError

MOST_PACKED = 256 * 2**20  # bytes that one line's observations may unpack to


@dataclass(frozen=True)
class Asking:
    """One round of questions and what came of it; probes are named by their digests."""

    probes: tuple[str, ...]
    observations: tuple[Observation, ...]
    printed: int
    isolation: tuple[str, ...]
    seconds: float


@dataclass(frozen=True)
class Kept:
    """All that judging needs: the file as text (or why there is none) and every round of questions."""

    text: str | None
    trouble: str | None
    rounds: tuple[Asking, ...]


@dataclass(frozen=True)
class Entry:
    """One line. The report's submission is without its text, which is packed with the rounds (base64 of zlib).

    ``packed`` is empty where the file was judged again and nothing new was asked.
    """

    format: Literal["grader run 1"]
    key: Key
    report: Report
    packed: str


def entry(key: Key, report: Report, kept: Kept | None) -> Entry:
    """The line that keeps a report and what it rests on."""
    bare = replace(report, submission=replace(report.submission, text=None))
    if kept is None:
        return Entry("grader run 1", key, bare, "")
    data = json.dumps(to_form(kept), separators=(",", ":"), allow_nan=False).encode("ascii")
    return Entry("grader run 1", key, bare, base64.b64encode(zlib.compress(data, 1)).decode("ascii"))


def unpacked(line: Entry) -> Kept:
    """What a line's report rests on. Raises BadForm when it is not of the form."""
    try:
        opened = zlib.decompressobj()
        data = opened.decompress(base64.b64decode(line.packed, validate=True), MOST_PACKED)
    except (ValueError, zlib.error) as error:
        raise BadForm(f"observations that cannot be unpacked: {error}") from None
    if not opened.eof:
        raise BadForm("observations that are cut off or too long")
    return from_form(Kept, loads(data))


def to_line(line: Entry) -> bytes:
    """One line of JSON with its line break."""
    return json.dumps(to_form(line), separators=(",", ":"), allow_nan=False).encode("ascii") + b"\n"


def from_line(line: bytes) -> Entry:
    """The entry in one line. Raises BadForm."""
    return from_form(Entry, loads(line))


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
