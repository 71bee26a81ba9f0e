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
    data = content.encode("utf-8", "replace") if isinstance(content, str) else content
    target = path.resolve()  # a link stays a link
    if target.exists() and not target.is_file():
        raise UsageError(f"cannot write {path}: it is not a regular file; leave out --output to print the report")
    draft = target.with_name(f".{target.name}.{secrets.token_hex(4)}")
    try:
        with draft.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(target)
    except OSError as error:
        draft.unlink(missing_ok=True)
        raise UsageError(f"cannot write {path}: {error.strerror}; does its folder exist?") from None
