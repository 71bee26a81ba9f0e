"""`grader check --watch`: grades on every save until Ctrl-C."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

from grader.cli.terminal import Progress, moves, style_of
from grader.records import Probe, Report, Submission
from grader.render import changes
from grader.render.screen import Style, wrapped
from grader.watching import Saved, Saves

Asking: TypeAlias = Callable[[Probe], object]
Grade: TypeAlias = Callable[[Submission], Report]


class _Outdated(Exception):
    """The file was saved again while it was graded."""


class Watch:
    """The runs on one file. ``grading`` makes, from what wants to be told each probe, what grades a hand-in."""

    def __init__(self, path: Path, hints: int, output: Path | None, grading: Callable[[Asking], Grade]) -> None:
        self._path, self._hints, self._output = path, hints, output
        self._saves, self._progress = Saves(path), Progress()
        self._grade = grading(self._asking)
        self._last: changes.Run | None = None
        self._before: changes.Run | None = None  # the last run in which the file could be loaded

    def until_stopped(self) -> Report:
        """Grade on every save; the last report once the user stops it."""
        try:
            for saved, at in self._saves:
                self._take(saved, at, style_of(sys.stdout, True, self._hints))
        except KeyboardInterrupt:
            if self._last is None:
                raise
        assert self._last is not None  # saves never end by themselves
        print(f"\nStopped. Score {self._last.score} at {self._last.at}.")
        return self._last.report

    def _asking(self, probe: Probe) -> None:
        self._progress.asking(probe)
        if self._saves.outdated():
            raise _Outdated

    def _take(self, saved: Saved, at: str, style: Style) -> None:
        if saved.submission is None or saved.trouble:
            heading = changes.heading(self._path.name, at, style)
            self._show("\n".join([heading, "", *wrapped(saved.trouble, "", style), ""]), style)
            return
        try:
            with self._progress:
                run = changes.Run(self._grade(saved.submission), at)
        except _Outdated:
            return
        self._last, before = run, self._before
        self._before = run if run.loaded else before
        self._show(changes.render(run, before, style), style)

    def _show(self, text: str, style: Style) -> None:
        """On a terminal the last run makes room, elsewhere it stays above."""
        clear = "\x1b[2J\x1b[H" if moves(sys.stdout) else ""
        told = f" The report is in {self._output}." if self._output else ""
        waiting = wrapped(f"Waiting for the next save of {self._path.name}. Ctrl-C stops.{told}", "", style)
        sys.stdout.write("\n".join([clear + text, *waiting, ""]))
        sys.stdout.flush()
