"""Starts a worker: a fresh interpreter in a folder of its own, with nothing of the grader's environment."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

POSIX = os.name == "posix"
WORKER = Path(__file__).parent / "worker"
COMMAND = (sys.executable, "-I", "-S", "-B", "-X", "utf8", str(WORKER))


def environment() -> dict[str, str]:
    """What a worker has of it."""
    kept = {name: os.environ[name] for name in ("SYSTEMROOT",) if name in os.environ}
    return {"PATH": os.defpath, "LC_ALL": "C.UTF-8", **kept}


def started(folder: str, lifeline: int) -> subprocess.Popen[bytes]:
    """A worker in ``folder``. Raises OSError when it cannot be started."""
    return subprocess.Popen(
        COMMAND,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=folder,
        env=environment(),
        start_new_session=POSIX,
        pass_fds=(lifeline,) if POSIX else (),
    )
