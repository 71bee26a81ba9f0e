"""Writes files whole: beside the target first, then renamed into place."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from grader.records import UsageError


def write_whole(path: Path, content: str | bytes) -> None:
    """Write text (as UTF-8) or bytes so that a reader sees the old file or the new one.

    Raises UsageError when it cannot; then the old file is as it was.
    """
    data = content.encode("utf-8") if isinstance(content, str) else content
    draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        with draft.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    except OSError as error:
        draft.unlink(missing_ok=True)
        raise UsageError(f"cannot write {path}: {error.strerror}; does its folder exist?") from None
