"""Grades on an existing Dask cluster, as `Pool` does with processes of its own: a message out, an answer back.

Only bytes of JSON travel, and the function that takes them by its name: a worker brings its own kit, which must be
this one to the last byte, and nothing that a hand-in made is ever unpickled. A worker that dies costs nothing: Dask
gives its tasks to others. This process alone writes the store.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, Generic

from grader import __version__
from grader.digests import kit_digest
from grader.forms import loads, to_form
from grader.kit import Kit
from grader.marking import means_of
from grader.pool import Gone, Pool, Task, Work
from grader.records import GraderFault, UsageError

CONNECTING = 10.0  # seconds for the scheduler to answer
WAITING = 60.0  # seconds for the first worker to come
TRIES = 2  # times that Dask may give a task up; each time so many workers have died with it (Dask's default: 4)
_TIMEOUTS = (TimeoutError, asyncio.TimeoutError)  # two classes before Python 3.11
AHEAD = 4  # tasks under way for each thread of the cluster: enough that none waits, few enough for a flat memory


def crew(
    cluster: str | None,
    work: Work,
    message: Callable[[Task], bytes | Gone],
    group: Callable[[Task], int],
    jobs: int,
    budget: float,
) -> Cluster[Task] | Pool[Task]:
    """Who does the work: the cluster at this address, else ``jobs`` processes here."""
    return Cluster(cluster, work, message, budget) if cluster else Pool(work, message, group, jobs, budget)


class Cluster(Generic[Task]):
    """Does ``work`` on the message of every task. ``budget``: seconds in which something has to be done somewhere."""

    def __init__(self, address: str, work: Work, message: Callable[[Task], bytes | Gone], budget: float) -> None:
        self._address, self._work, self._message, self._budget = address, work, message, budget
        self._deaths: Counter[Task] = Counter()
        self._waiting: deque[Task] = deque()
        self._suspects: deque[Task] = deque()
        self._flying: dict[Any, Task] = {}

    def run(self, tasks: Sequence[Task]) -> Iterator[tuple[Task, bytes | Gone]]:
        """Every task with its answer, in the order of completion.

        Raises UsageError when there is no such cluster, GraderFault when its workers have another kit or all are lost.
        """
        if not tasks:
            return
        self._waiting.extend(tasks)
        with _connected(self._address) as client:
            _check_workers(client)
            most = AHEAD * max(16, sum(client.ncores().values()))
            while self._waiting or self._flying or self._suspects:
                yield from self._give(client, most)
                yield from self._take_what_is_there(client)

    def _give(self, client: Any, most: int) -> Iterator[tuple[Task, bytes | Gone]]:
        """Keep it busy; tasks that have no message are answered here.

        Those that workers died with are tried again at the end, each alone, so that none dies with another.
        """
        if not self._waiting and not self._flying:
            self._waiting.append(self._suspects.popleft())
        while self._waiting and len(self._flying) < most:
            task = self._waiting.popleft()
            message = self._message(task)
            if isinstance(message, Gone):
                yield task, message
            else:
                self._flying[client.submit(at_work, self._work, message, pure=False)] = task

    def _take_what_is_there(self, client: Any) -> Iterator[tuple[Task, bytes | Gone]]:
        try:
            wait = import_module("distributed").wait
            done = wait(list(self._flying), self._budget, "FIRST_COMPLETED").done if self._flying else ()
        except _TIMEOUTS:
            yield from self._give_up(client)
            return
        except CancelledError:
            raise GraderFault(f"the scheduler {self._address} was lost; {_KEPT}") from None
        for future in done:
            task = self._flying.pop(future)
            answer = self._answer(future, task)
            if answer is not None:
                yield task, answer

    def _answer(self, future: Any, task: Task) -> bytes | Gone | None:
        """A task's answer; None when it is tried again. Raises GraderFault when nothing can be graded there."""
        try:
            return bytes(future.result())
        except import_module("distributed").KilledWorker as error:
            self._deaths[task] += 1
            if self._deaths[task] == TRIES:
                return Gone(f"every worker of the cluster that had it died; the last was {error.last_worker.address}")
            self._suspects.append(task)
            return None
        except CancelledError:
            raise GraderFault(f"the scheduler {self._address} has dropped what it was given; {_KEPT}") from None
        except Exception as error:  # noqa: BLE001 - whatever a worker without the right software says
            told = f"{type(error).__name__}: {error}"
            raise GraderFault(f"a worker of {self._address} cannot grade: {told}; {_KEPT}") from None

    def _give_up(self, client: Any) -> Iterator[tuple[Task, bytes | Gone]]:
        """Nothing was done for a whole budget: what is under way hangs, or all workers have gone."""
        if self._waiting or not client.ncores():
            raise GraderFault(f"the cluster {self._address} has done nothing for {self._budget:g} s; {_KEPT}")
        for task in self._flying.values():
            yield task, Gone(f"the cluster gave no answer for {self._budget:g} s")
        self._flying.clear()


_KEPT = "what was graded before is kept: start the same command again to go on"


def at_work(work: Work, message: bytes) -> bytes:
    """Runs on a worker: ``work`` on the message, with the worker's own kit and a folder of the worker's."""
    worker, form = import_module("distributed").get_worker(), loads(message)
    if form["key"]["kit"] != _own_digest():  # it has come since all were checked
        return f"!{_another(worker.address, _introduction(), form['key']['kit'])}".encode()
    form["means"] = to_form(means_of(Kit.here(), Path(worker.local_directory), form["means"]["require"]))
    answer = work(json.dumps(form).encode("ascii"))
    return answer + f" (worker {worker.address})".encode() if answer.startswith(b"!") else answer


@cache
def _own_digest() -> str:
    return kit_digest(Kit.here())


def _introduction() -> list[str]:
    """A worker's version and digest of the kit, and whether it has the solution."""
    return [__version__, _own_digest(), "with" if Kit.here().solution else "without"]


def _another(address: str, told: Sequence[str], digest: str) -> str:
    version, found, solution = told
    return (
        f"the worker {address} has another kit: version {version}, digest {found[:12]}, {solution} solution/; here "
        f"it is version {__version__}, digest {digest[:12]}. Install this very kit there, and start the workers again"
    )


def _check_workers(client: Any) -> None:
    """Raise UsageError when there is no worker, GraderFault for one that has another kit."""
    address = client.scheduler.address
    try:
        client.wait_for_workers(1, timeout=WAITING)
    except _TIMEOUTS:
        raise UsageError(f"the cluster {address} has no workers, and none came in {WAITING:g} s") from None
    digest = _own_digest()
    for worker, told in client.run(_introduction, on_error="return").items():
        if isinstance(told, Exception):
            raise GraderFault(f"the worker {worker} has no kit, or an old one: {told}. Install this very kit there")
        if told[1] != digest:
            raise GraderFault(_another(worker, told, digest))


@contextmanager
def _connected(address: str) -> Iterator[Any]:
    """A client of the scheduler. Raises UsageError when there is none, or the extra is missing."""
    try:
        distributed = import_module("distributed")
    except ImportError as error:
        extra = "pip install 'transformer-block-kit[cluster]'"
        raise UsageError(f"--cluster needs Dask's distributed ({error}); install it with: {extra}") from None
    logging.getLogger("distributed.client").setLevel(logging.CRITICAL)  # it logs tracebacks of what is told below
    try:
        asyncio.run(asyncio.wait_for(_knock(address), CONNECTING))
        client = distributed.Client(address, timeout=CONNECTING, set_as_default=False, name="grader")
    except (OSError, ValueError, *_TIMEOUTS) as error:
        why = f"{error}" or f"no answer in {CONNECTING:g} s"
        raise UsageError(f"cannot reach a Dask scheduler at {address}: {why}") from None
    with client, client.as_current():
        yield client


async def _knock(address: str) -> None:
    """Whether somebody is there: a client that fails to connect leaves threads and complaints behind."""
    distributed = import_module("distributed")
    security = distributed.Security().get_connection_args("client")
    comm = await import_module("distributed.comm").connect(address, timeout=CONNECTING, **security)
    await comm.close()
