"""Does one piece of work many times over in processes of its own: results as they come, with how far it has got."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from multiprocessing import get_context
from typing import TypeVar

Task = TypeVar("Task")
Done = TypeVar("Done")


@dataclass(frozen=True)
class Progress:
    """How many of how many are done, after how many seconds."""

    done: int
    total: int
    seconds: float

    @property
    def rate(self) -> float:
        return self.done / self.seconds if self.seconds > 0 else 0.0

    @property
    def left(self) -> float:
        """Seconds to the end if it goes on like this."""
        return (self.total - self.done) / self.rate if self.rate else 0.0

    @property
    def words(self) -> str:
        minutes, seconds = divmod(round(self.left), 60)
        return f"{self.done} of {self.total}, {self.rate:.1f} a second, {minutes}:{seconds:02} left"


def cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def spread(work: Callable[[Task], Done], tasks: Sequence[Task], jobs: int) -> Iterator[tuple[Done, Progress]]:
    """Every task's result, in the order of completion. An interrupt ends it when the tasks under way are done."""
    started = time.monotonic()
    for done, result in enumerate(_results(work, tasks, min(jobs, len(tasks))), 1):
        yield result, Progress(done, len(tasks), time.monotonic() - started)


def _results(work: Callable[[Task], Done], tasks: Sequence[Task], jobs: int) -> Iterator[Done]:
    if jobs <= 1:
        yield from map(work, tasks)
        return
    pool = ProcessPoolExecutor(jobs, get_context("spawn"), _leave_interrupts_to_the_parent)
    try:
        futures: list[Future[Done]] = [pool.submit(work, task) for task in tasks]
        yield from (future.result() for future in as_completed(futures))
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _leave_interrupts_to_the_parent() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
