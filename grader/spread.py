"""Does one piece of Python many times over in processes of its own: results as they come, with how far it has got."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from math import inf
from typing import TypeVar

from grader.pool import Gone, Pool, clock
from grader.progress import Progress
from grader.records import GraderFault

Given = TypeVar("Given")
Done = TypeVar("Done")


def spread(work: Callable[[Given], Done], tasks: Sequence[Given], jobs: int) -> Iterator[tuple[Done, Progress]]:
    """Every task's result, in the order of completion. Raises what ``work`` raises, GraderFault when a process dies."""
    started = clock()
    for done, result in enumerate(_results(work, tasks, min(jobs, len(tasks))), 1):
        yield result, Progress(done, len(tasks), clock() - started)


def _results(work: Callable[[Given], Done], tasks: Sequence[Given], jobs: int) -> Iterator[Done]:
    if jobs <= 1:
        yield from map(work, tasks)
        return
    pool: Pool[int] = Pool(partial(_pickled, work), lambda k: pickle.dumps(tasks[k]), lambda _: 0, jobs, inf)
    for _, answer in pool.run(range(len(tasks))):
        if isinstance(answer, Gone):
            raise GraderFault(answer.text)
        result, error = pickle.loads(answer)
        if error is not None:
            raise error
        yield result


def _pickled(work: Callable[[Given], Done], message: bytes) -> bytes:
    """The result of ``work`` and what it raised, one of which is None."""
    try:
        return pickle.dumps((work(pickle.loads(message)), None))
    except Exception as error:  # noqa: BLE001 - raised again where the results are taken
        return pickle.dumps((None, error))
