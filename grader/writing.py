"""Writes files whole: beside the target first, then renamed into place."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from grader.records import UsageError


def write_whole(path: Path, text: str) -> None:
    """Write UTF-8 text so that a reader sees the old file or the new one. Raises UsageError when it cannot."""
    try:
        descriptor, draft = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}; does its folder exist?") from None
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        Path(draft).replace(path)
    except OSError as error:
        Path(draft).unlink(missing_ok=True)
        raise UsageError(f"cannot write {path}: {error.strerror}") from None
