"""Asks a submission its probes in a worker process: every way to die is an answer. The only module with a clock."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING

from grader import isolation
from grader.forms import BadForm, from_form, line, to_form
from grader.pasted import pasted
from grader.process import Lost, Process
from grader.records import GARBLED, Fault, GraderFault, Observation, Probe, Submission, Transcript
from grader.replies import observation_in, text_of

if TYPE_CHECKING:
    from grader.forking import ForkServer

MAX_DEATHS = 2  # of one component; then the rest of its questions are blocked


@dataclass(frozen=True)
class Limits:
    """Seconds, on the parent's clock: to start a worker, to load a file, to answer a probe, for all of it."""

    start: float = 30.0
    load: float = 5.0
    probe: float = 4.0
    total: float = 60.0


def given_code(folder: Path) -> dict[str, str]:
    """The text of the given modules, in the order in which they import each other."""
    try:
        return {name: (folder / f"{name}.py").read_text(encoding="utf-8") for name in ("engine", "nn")}
    except OSError as error:
        raise GraderFault(f"the given code is missing: {error}; reinstall the kit") from error


def observe(
    submission: Submission,
    probes: Sequence[Probe],
    given: Mapping[str, str],
    limits: Limits = Limits(),
    require: isolation.Level | None = None,
    apply: isolation.Level = "full",
    asking: Callable[[Probe], object] = lambda _: None,
    server: ForkServer | None = None,
) -> Transcript:
    """Every probe's observation. Raises GraderFault only when no worker can be started as it must be.

    ``apply`` is how far isolation is tried, ``require`` how far it must get (None: what is usual on this platform).
    ``asking`` is told each probe before its answer is awaited; what it raises ends the questioning. ``server`` forks
    the workers.
    """
    if submission.text is None:
        fault = Fault("load", "Unreadable", submission.trouble or "", None, None)
        return Transcript(dict.fromkeys(probes, Observation("unloadable", fault)))
    started = time.monotonic()
    state = _Asking(submission, dict(given), limits, require or isolation.usual(), apply, asking, server)
    with tempfile.TemporaryDirectory(prefix="grader-", ignore_cleanup_errors=True) as folder:
        state.ask_all(list(probes), folder)
    seconds = time.monotonic() - started
    return Transcript(state.seen, state.printed, isolation.lines(state.layers), seconds, state.texts)


class _Asking:
    """The state of one submission's questioning: what is answered, who has hung, when it must end."""

    def __init__(
        self,
        submission: Submission,
        given: dict[str, str],
        limits: Limits,
        require: isolation.Level,
        apply: isolation.Level,
        asking: Callable[[Probe], object],
        server: ForkServer | None,
    ) -> None:
        self.submission, self.given, self.limits = submission, given, limits
        self.require, self.apply, self.asking, self.server = require, apply, asking, server
        self.layers: tuple[isolation.Layer, ...] = ()
        self.seen: dict[Probe, Observation] = {}
        self.texts: dict[Probe, str] = {}
        self.losses: dict[str, int] = {}
        self.printed = 0
        self.end = time.monotonic() + limits.total

    def ask_all(self, pending: list[Probe], folder: str) -> None:
        """Ask in order, with a fresh worker after every loss, until nothing is pending."""
        while pending:
            if time.monotonic() > self.end:
                self._settle(pending, Observation("timeout", _out_of_time(self.limits.total)))
                return
            answered = self._ask_one_worker(pending, folder)
            pending = pending[answered:]
            stopped = [p for p in pending if self.losses.get(p.component, 0) >= MAX_DEATHS]
            self._settle(stopped, Observation("blocked"))
            pending = [p for p in pending if p not in self.seen]

    def _settle(self, probes: Iterable[Probe], observation: Observation) -> None:
        self.seen.update((probe, observation) for probe in probes if probe not in self.seen)

    def _ask_one_worker(self, pending: list[Probe], folder: str) -> int:
        """How many probes this worker settled before it was done or lost."""
        limits = self.limits
        text = self.submission.text or ""
        task = {"name": self.submission.name, "text": text, "pasted": pasted(text, self.given)}
        asked, cpu_seconds = _asked(tuple(pending)), ceil(limits.load + limits.total) + 1
        fork = partial(self.server.fork, asked=asked) if self.server else lambda *_: None
        with Process(folder, self.apply, cpu_seconds, fork) as worker:
            self.layers = worker.start(self.given, limits.start)
            isolation.need(self.layers, self.require)  # of every worker, before the hand-in is sent to it
            known = worker.forked is not None and worker.forked.asked == asked
            worker.send(line(task)[:-2] + b', "probes": ' + (b"null" if known else asked) + b"}\n")
            printed = self.printed
            try:
                loaded = worker.reply(limits.load)
                fault = self._load_fault(loaded)
            except (Lost, BadForm) as lost:
                fault = _fault_of_loss(lost, "load", limits.load)
            if fault:
                self._settle(pending, Observation("unloadable", fault))
                return len(pending)
            for k, probe in enumerate(pending):
                self.asking(probe)
                try:
                    reply = worker.reply(min(limits.probe, max(0.1, self.end - time.monotonic())))
                    self.printed = printed + _take_printed(reply)
                    observation = observation_in(reply, probe)
                except (Lost, BadForm) as lost:
                    self._lose(probe, lost)
                    return k + 1
                self.seen[probe] = observation
                if said := text_of(worker.line, observation):
                    self.texts[probe] = said
        return len(pending)

    def _load_fault(self, reply: object) -> Fault | None:
        if not isinstance(reply, dict) or reply.keys() != {"loaded", "fault", "printed"}:
            raise BadForm("load")
        self.printed += _take_printed(reply)
        return None if reply["loaded"] is True else from_form(Fault, reply["fault"])

    def _lose(self, probe: Probe, lost: Exception) -> None:
        timeout = isinstance(lost, Lost) and lost.kind == "timeout"
        fault = _fault_of_loss(lost, "forward", self.limits.probe)
        self.seen[probe] = Observation("timeout" if timeout else "died", fault)
        self.losses[probe.component] = self.losses.get(probe.component, 0) + (MAX_DEATHS if timeout else 1)


@lru_cache(maxsize=4)
def _asked(probes: tuple[Probe, ...]) -> bytes:
    """The questions in JSON: mostly the same ones for every hand-in."""
    return line([to_form(probe) for probe in probes])[:-1]


def _take_printed(reply: object) -> int:
    count = reply.pop("printed", None) if isinstance(reply, dict) else None
    if type(count) is not int or count < 0:
        raise BadForm("printed")
    return count


def _fault_of_loss(lost: Exception, stage: str, seconds: float) -> Fault:
    if isinstance(lost, BadForm):
        return Fault(stage, GARBLED, "its answers were not in the worker's form", None, None)
    if isinstance(lost, Lost) and lost.kind == "timeout":
        return Fault(stage, "Timeout", f"it was still running after {seconds:g} s", None, None)
    return Fault(stage, "Died", str(lost), None, None)


def _out_of_time(seconds: float) -> Fault:
    return Fault(
        "forward", "Timeout", f"the whole hand-in may run for {seconds:g} s, and these were used up", None, None
    )
