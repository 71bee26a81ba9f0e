"""Where a command's words go: to standard output or a file, and its progress to standard error."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from grader.writing import write_whole

if TYPE_CHECKING:  # a student's check has no use for it
    from grader.progress import Progress


def hand_over(text: str, output: Path | None, exact: bool = False) -> None:
    """Print ``text``, or write it to a file whole. ``exact``: as UTF-8 whatever the terminal, for other programs."""
    if output is not None:
        write_whole(output, text)
        return
    reconfigure = getattr(sys.stdout, "reconfigure", None)
    if exact and reconfigure is not None:
        reconfigure(encoding="utf-8", newline="\n")
    sys.stdout.write(text)
    sys.stdout.flush()


def show(progress: Progress) -> None:
    """One line that is written over on a terminal; elsewhere a line at each tenth."""
    if sys.stderr.isatty():
        end = "\n" if progress.done == progress.total else ""
        width = shutil.get_terminal_size().columns - 1
        print(f"\r{progress.line(width)}", end=end, file=sys.stderr, flush=True)
    elif progress.done * 10 // progress.total > (progress.done - 1) * 10 // progress.total:
        print(progress.words, file=sys.stderr, flush=True)
