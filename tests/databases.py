"""Databases for the tests of the gradebook: a PostgreSQL server of their own, as no one in particular."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

ACCOUNT = "nobody"  # PostgreSQL refuses root


def programs() -> Path | None:
    """The folder of PostgreSQL's server programs; Debian keeps it off the path."""
    found = [Path(path).parent for path in [shutil.which("initdb")] if path]
    return next(iter([*found, *sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)]), None)


@contextmanager
def server(folder_of_programs: Path) -> Iterator[Path]:
    """A running server, and the folder of its socket, which is all it listens on; user ``grader`` may do anything."""
    home = Path(tempfile.mkdtemp(prefix="pg-"))  # a short path: a socket's has at most 107 bytes
    account = ACCOUNT if os.geteuid() == 0 else None
    try:
        if account:
            shutil.chown(home, account)
        initdb = [folder_of_programs / "initdb", "-D", home / "data", "-U", "grader", "-A", "trust", "-E", "UTF8"]
        _started([*initdb, "--locale=C", "--no-sync"], home, account).communicate(timeout=50)
        options = ("-k", home, "-c", "listen_addresses=", "-c", "fsync=off", "-c", "max_connections=20")
        process = _started([folder_of_programs / "postgres", "-D", home / "data", *options], home, account)
        try:
            _wait_for(process, home / ".s.PGSQL.5432.lock", home / "data" / "postmaster.pid")
            yield home
        finally:
            process.send_signal(signal.SIGINT)  # a fast shutdown
            try:
                process.communicate(timeout=20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.communicate()
    finally:
        shutil.rmtree(home, ignore_errors=True)


def _started(command: Sequence[str | Path], home: Path, account: str | None) -> subprocess.Popen[bytes]:
    """A process that the kernel stops when this one dies."""
    died_with = ["setpriv", "--pdeathsig", "INT"] if shutil.which("setpriv") else []
    return subprocess.Popen(
        [*died_with, *map(str, command)], cwd=home, user=account, extra_groups=[] if account else None,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip


def _wait_for(process: subprocess.Popen[bytes], lock: Path, state: Path) -> None:
    """Until the server says that it is ready."""
    for _ in range(500):
        if process.poll() is not None:
            raise RuntimeError(f"PostgreSQL did not start: {process.communicate()[0].decode(errors='replace')[-500:]}")
        if lock.exists() and state.exists() and "ready" in state.read_text(encoding="utf-8"):
            return
        time.sleep(0.1)
    raise RuntimeError("PostgreSQL did not get ready in 50 s")
