"""Processes that grade side by side: each takes a message, answers with one, and can die without loss to the others.

A process that dies is replaced, and its task tried once more; one that is over its budget is killed, and its task is
given up. When this process is killed, the others notice at their next answer and end.
"""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from multiprocessing import connection, get_context
from typing import Generic, TypeVar

Task = TypeVar("Task")
Work = Callable[[bytes], bytes]
clock = time.monotonic
PATIENCE = 5.0  # seconds for a process that is told to stop


@dataclass(frozen=True)
class Gone:
    """In place of an answer: why there is none."""

    text: str


class _Stop(BaseException):
    """The parent has said to stop; what is open is closed on the way out."""


def _stop(*_: object) -> None:
    raise _Stop


def _serve(pipe: connection.Connection, work: Work) -> None:
    """Answer until the other end is closed. Ctrl-C is the parent's business."""
    signal.signal(signal.SIGINT, lambda *_: None)  # not SIG_IGN, which workers would inherit
    signal.signal(signal.SIGTERM, _stop)
    with contextlib.suppress(EOFError, OSError, _Stop):
        while True:
            pipe.send_bytes(work(pipe.recv_bytes()))


class _Hand(Generic[Task]):
    """One process and what it is doing."""

    def __init__(self, work: Work) -> None:
        context = get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self.process = context.Process(target=_serve, args=(theirs, work), daemon=True)
        self.process.start()
        theirs.close()
        self.task: Task | None = None
        self.group, self.end = -1, 0.0

    def give(self, task: Task, group: int, message: bytes, budget: float) -> None:
        """Start on a task; a process that has died is noticed when its answer is taken."""
        self.task, self.group, self.end = task, group, clock() + budget
        with contextlib.suppress(OSError):
            self.pipe.send_bytes(message)

    def take(self) -> bytes | None:
        """The answer, None from a process that has died."""
        try:
            return self.pipe.recv_bytes()
        except (EOFError, OSError):
            return None

    def stop(self, end: float) -> None:
        """Wait for it until ``end`` on the clock, then kill it."""
        self.process.join(max(0.0, end - clock()))
        self.process.kill()
        self.process.join()
        self.pipe.close()


class Pool(Generic[Task]):
    """Does ``work`` on the message of every task, ``jobs`` at a time.

    ``group`` puts tasks together that one process had best do: it keeps what they need.
    """

    def __init__(
        self,
        work: Work,
        message: Callable[[Task], bytes | Gone],
        group: Callable[[Task], int],
        jobs: int,
        budget: float,
    ) -> None:
        self._work, self._message, self._group, self._jobs, self._budget = work, message, group, jobs, budget
        self._queues: dict[int, deque[Task]] = {}
        self._tried: set[Task] = set()
        self._hands: list[_Hand[Task]] = []

    def run(self, tasks: Sequence[Task]) -> Iterator[tuple[Task, bytes | Gone]]:
        """Every task with its answer, in the order of completion."""
        for task in tasks:
            self._queues.setdefault(self._group(task), deque()).append(task)
        try:
            self._hands = [_Hand(self._work) for _ in range(min(self._jobs, len(tasks)))]
            for hand in self._hands:
                yield from self._give_next(hand)
            while any(hand.task is not None for hand in self._hands):
                yield from self._take_what_is_there()
        finally:
            self._close(self._hands)

    def _take_what_is_there(self) -> Iterator[tuple[Task, bytes | Gone]]:
        busy = [hand for hand in self._hands if hand.task is not None]
        ready = connection.wait([hand.pipe for hand in busy], timeout=1.0)
        for hand in busy:
            if (task := hand.task) is None:
                continue
            if hand.pipe in ready:
                answer = hand.take()
                if answer is None:
                    yield from self._replace(hand, task, "the grading process died twice")
                    continue
                unasked = list(self._give_next(hand))  # it works on while the answer is dealt with
                yield task, answer
                yield from unasked
            elif clock() > hand.end:
                self._tried.add(task)
                yield from self._replace(hand, task, f"grading took longer than {self._budget:g} s and was stopped")

    def _replace(self, hand: _Hand[Task], task: Task, why: str) -> Iterator[tuple[Task, bytes | Gone]]:
        """A fresh process in place of one that is lost; its task is tried again, once."""
        self._close([hand])
        fresh: _Hand[Task] = _Hand(self._work)
        fresh.group = hand.group
        self._hands[self._hands.index(hand)] = fresh
        if task in self._tried:
            yield task, Gone(why)
        else:
            self._tried.add(task)
            self._queues.setdefault(hand.group, deque()).appendleft(task)
        yield from self._give_next(fresh)

    def _give_next(self, hand: _Hand[Task]) -> Iterator[tuple[Task, bytes | Gone]]:
        """Set it to work; tasks that have no message are answered here."""
        hand.task = None
        while (group := self._best_group(hand)) is not None:
            task = self._queues[group].popleft()
            message = self._message(task)
            if not isinstance(message, Gone):
                hand.give(task, group, message, self._budget)
                return
            yield task, message

    def _best_group(self, hand: _Hand[Task]) -> int | None:
        """The one it is at, else the longest that nobody is at, else the longest."""
        left = {group: len(queue) for group, queue in self._queues.items() if queue}
        if hand.group in left:
            return hand.group
        taken = {other.group for other in self._hands if other is not hand}
        return max(left, key=lambda group: (group not in taken, left[group]), default=None)

    def _close(self, hands: Sequence[_Hand[Task]]) -> None:
        for hand in hands:
            hand.process.terminate()
        end = clock() + PATIENCE
        for hand in hands:
            hand.stop(end)


def cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
