"""Leaves bytecode beside the worker's modules, as importing them would: a worker may write nothing."""

from __future__ import annotations

import contextlib
from functools import cache
from importlib.machinery import SourceFileLoader
from pathlib import Path


@cache
def leave_bytecode(folder: Path) -> None:
    """Write what is missing or out of date, once per process; nothing where Python is told to write no bytecode."""
    for path in folder.glob("*.py"):
        with contextlib.suppress(SyntaxError, OSError):
            SourceFileLoader(path.stem, str(path)).get_code(path.stem)
