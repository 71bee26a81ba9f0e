"""Waits for the saves of one file, whichever way an editor makes them: in place, by rename, by delete and rewrite."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from grader.records import Submission, UsageError
from grader.submission import read

POLL = 0.2  # seconds between two looks where nobody wakes us
STILL = 0.1  # a file that has not changed for so long is saved
ABSENT = 1.0  # a file that is gone or empty for so long is not in the middle of being saved


@dataclass(frozen=True)
class Saved:
    """What lies at the path: the hand-in, or what is wrong in words; and when it was modified, in nanoseconds."""

    submission: Submission | None
    trouble: str
    modified: int


class Saves:
    """Iterates over the saves of a file and their time of day, the file as it is now first; quick ones count as one."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._last: Saved | None = None

    def __iter__(self) -> Iterator[tuple[Saved, str]]:
        for _ in _wakes(self._path.parent):
            if self.outdated():
                self._last = self._settled()
                yield self._last, time.strftime("%H:%M:%S")

    def outdated(self) -> bool:
        """Whether the file is another than at the last save."""
        return self._look() != self._last

    def _settled(self) -> Saved:
        """What lies there once it keeps still."""
        deadline = time.monotonic() + ABSENT
        seen = self._look()
        while True:
            time.sleep(STILL)
            before, seen = seen, self._look()
            if seen == before and (not seen.trouble or time.monotonic() > deadline):
                return seen

    def _look(self) -> Saved:
        try:
            submission, modified = read(self._path), self._path.stat().st_mtime_ns
        except (UsageError, OSError) as error:
            gone = f"{self._path.name} is not there at the moment. It is graded as soon as it is back."
            return Saved(None, str(error) if self._path.exists() else gone, 0)
        return Saved(submission, submission.trouble or "", modified)


def _wakes(folder: Path) -> Iterator[object]:
    """Comes back when something may have happened in a folder: at once, then when the system says so, or by the clock.

    Network drives and containers' mounts often say nothing, so that the clock has a say even with `watchfiles`.
    """
    yield None
    try:
        from watchfiles import watch  # the extra `watch`: quicker to notice, and idle in between

        yield from watch(
            folder, watch_filter=None, debounce=200, step=20, rust_timeout=1000, yield_on_timeout=True, recursive=False
        )
    except (ImportError, OSError, RuntimeError):
        pass  # not installed, or the system watches no more
    while True:
        yield None
        time.sleep(POLL)
