"""A real Dask cluster for tests: a scheduler and workers as processes of their own, and work that goes wrong there."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from grader.digests import kit_digest
from grader.kit import Kit
from tests.hand_ins import ROOT, environment

MODULE = "distributed.cli.dask_"


@dataclass
class Dask:
    """A running cluster; workers have no nanny, so that one that is killed stays dead."""

    address: str
    folder: Path
    closing: ExitStack
    workers: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def add_workers(self, count: int, threads: int = 2, path: Path = ROOT) -> None:
        """Start workers with this folder on their path, and wait until the scheduler knows all of them."""
        from distributed import Client  # the extra may be missing where other tests are collected

        for _ in range(count):
            options = ["--nthreads", str(threads), "--no-nanny", "--local-directory", str(self.folder)]
            started = _started("worker", self.address, *options, path=path)
            self.workers.append(self.closing.enter_context(started))
        if not self.alive():
            return
        with Client(self.address, timeout=50, set_as_default=False) as client:
            client.wait_for_workers(len(self.alive()), timeout=50)

    def alive(self) -> list[subprocess.Popen[bytes]]:
        """Workers that run."""
        return [worker for worker in self.workers if worker.poll() is None]


@contextmanager
def dask(folder: Path, workers: int, threads: int = 2, **settings: str) -> Iterator[Dask]:
    """A scheduler and workers; all are gone in the end."""
    told = folder / "scheduler.json"
    with ExitStack() as closing:
        options = ("--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(told), "--idle-timeout", "300")
        scheduler = closing.enter_context(_started("scheduler", "--no-dashboard", *options, **settings))
        while not told.exists() or not told.read_bytes().strip().endswith(b"}"):
            assert scheduler.poll() is None, "the scheduler did not start"
            time.sleep(0.1)
        cluster = Dask(json.loads(told.read_bytes())["address"], folder, closing)
        cluster.add_workers(workers, threads)
        yield cluster


@contextmanager
def _started(what: str, *options: str, path: Path = ROOT, **settings: str) -> Iterator[subprocess.Popen[bytes]]:
    """Dask's own command as a process."""
    process = subprocess.Popen(
        [sys.executable, "-m", MODULE + what, *options],
        cwd=path, env=environment(PYTHONPATH=os.pathsep.join(map(str, dict.fromkeys((path, ROOT)))), **settings),
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def message(task: str, kit: str | None = None) -> bytes:
    """What `misbehave` gets to do, in the form of an order."""
    means = {"require": "process"}
    return json.dumps({"task": task, "key": {"kit": kit or kit_digest(Kit.here())}, "means": means}).encode("ascii")


def misbehave(message: bytes) -> bytes:
    """Runs on a worker: answers, kills its worker, or hangs, as the task's first letter says."""
    task = json.loads(message)["task"]
    if task.startswith("kill"):
        os.kill(os.getpid(), signal.SIGKILL)
    if task.startswith("hang"):
        time.sleep(600)
    return b"+" + task.encode()
