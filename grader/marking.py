"""What one process of a run does: grade one file into a line of the store, or judge one again. Messages in, lines out.

An answer begins with one letter: ``+`` and the line, ``-`` and why the grader failed on this file, ``!`` and why it
would fail on every file, ``?`` and which checks ask what is not stored.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path

from grader.cohort import Key
from grader.digests import answers_digest
from grader.entry import Asking, Entry, Kept, entry, to_line, unpacked
from grader.expectations import PUBLIC_SEED, Observe
from grader.forking import ForkServer
from grader.forms import BadForm, from_form, loads
from grader.grading import Grader
from grader.isolation import Level, NotIsolated
from grader.kit import Kit
from grader.recollection import digest, remembering
from grader.records import GraderFault, Observation, Probe, Report, Submission, Transcript, UsageError
from grader.rubric import RUBRIC
from grader.sandbox import given_code


@dataclass(frozen=True)
class Means:
    """What a process grades with; ``memory`` is a folder for what the reference answered."""

    exercise: str
    solution: str | None
    memory: str
    require: Level | None


@dataclass(frozen=True)
class Order:
    """Grade this file."""

    submission: Submission
    key: Key
    means: Means


@dataclass(frozen=True)
class Review:
    """Judge this line again; ``ask``: what is not stored may be asked of the file's text."""

    line: Entry
    key: Key
    means: Means
    ask: bool


class Unasked(Exception):
    """Judging needs answers that are not stored."""

    def __init__(self, probes: Sequence[Probe]) -> None:
        super().__init__(f"{len(probes)} questions were not asked")
        self.probes = frozenset(probes)

    def checks(self, seed: int) -> list[str]:
        """Who asks them: checks by name, else what the grader asks beside the rubric."""
        asking = [check.id for check in RUBRIC if not self.probes.isdisjoint(check.ask(seed))]
        return asking or ["what tells misconceptions or own parts apart"]


class Witness:
    """Observes a submission and remembers all of it; what is known already is not asked again."""

    def __init__(self, ask: Observe | None, rounds: Sequence[Asking] = ()) -> None:
        self._ask, self.rounds = ask, list(rounds)
        self.texts: dict[str, str] = {}

    def __call__(self, submission: Submission, probes: Sequence[Probe]) -> Transcript:
        """The transcript of these probes. Raises Unasked when some are new and nobody may be asked."""
        known = {name: seen for one in self.rounds for name, seen in zip(one.probes, one.observations)}
        new = [probe for probe in probes if digest(probe) not in known]
        if new and self._ask is None:
            raise Unasked(new)
        if new and self._ask is not None:
            seen = self._ask(submission, new)
            observations = tuple(seen.observations[probe] for probe in new)
            names = tuple(digest(probe) for probe in new)
            self.rounds.append(Asking(names, observations, seen.printed, seen.isolation, seen.seconds))
            known.update(zip(names, observations))
            self.texts.update((digest(probe), text) for probe, text in seen.texts.items())
        return self._transcript({probe: known[digest(probe)] for probe in probes})

    def _transcript(self, observations: Mapping[Probe, Observation]) -> Transcript:
        wanted = {digest(probe) for probe in observations}
        used = [one for one in self.rounds if wanted.intersection(one.probes)]
        isolation = next((one.isolation for one in used), ())
        return Transcript(observations, sum(r.printed for r in used), isolation, sum(r.seconds for r in used))


def grade(message: bytes) -> bytes:
    """Grade the file of an Order."""
    order = from_form(Order, loads(message))
    seed = order.key.seed

    def line() -> bytes:
        grader = _grader(order.means, seed)
        witness = Witness(grader.observe)
        report = grader.grade(order.submission, witness)
        kept = Kept(order.submission.text, order.submission.trouble, tuple(witness.rounds))
        return to_line(entry(order.key, report, kept, witness.texts))

    return _answer(line, seed)


def judge_again(message: bytes) -> bytes:
    """Judge the line of a Review under its new key."""
    review = from_form(Review, loads(message))
    seed = review.key.seed

    def line() -> bytes:
        kept = unpacked(review.line)
        grader = _grader(review.means, seed)
        witness = Witness(grader.observe if review.ask else None, kept.rounds)
        submission = replace(review.line.report.submission, text=kept.text, trouble=kept.trouble)
        report = grader.grade(submission, witness)
        more = len(witness.rounds) > len(kept.rounds)
        now = replace(kept, rounds=tuple(witness.rounds)) if more else None
        return to_line(entry(review.key, report, now, witness.texts))

    return _answer(line, seed)


def _answer(line: Callable[[], bytes], seed: int) -> bytes:
    try:
        return b"+" + line()
    except NotIsolated as fault:
        return b"!" + str(fault).encode()
    except Unasked as unasked:
        return b"?" + json.dumps(unasked.checks(seed)).encode("ascii")
    except (GraderFault, BadForm) as fault:
        return b"-" + str(fault).encode("utf-8", "replace")
    except Exception as error:  # noqa: BLE001 - a fault of the grader on one file must not stop the class
        return b"-" + f"{type(error).__name__}: {error}".encode("utf-8", "replace")


def full_report(line: Entry, kept: Kept) -> Report:
    """A line's report with the submission's text."""
    return replace(line.report, submission=replace(line.report.submission, text=kept.text))


@cache
def _grader(means: Means, seed: int) -> Grader:
    """One for each seed: what is expected is asked once in each process, and mostly once in a run."""
    kit = Kit(Path(means.exercise), Path(means.solution) if means.solution else None)
    naming = None if seed == PUBLIC_SEED else _grader(means, PUBLIC_SEED).naming
    memory = Path(means.memory)
    remember = partial(remembering, folder=memory)
    return Grader(kit, seed, RUBRIC, means.require, naming, remember, server=_server(means.exercise))


@cache
def _server(exercise: str) -> ForkServer | None:
    return ForkServer(given_code(Path(exercise))) if sys.platform == "linux" else None


def means_of(kit: Kit, run: Path, require: Level | None) -> Means:
    """What a run grades with; makes the folder of its memory. Raises UsageError when it cannot."""
    memory = run / "reference" / answers_digest(kit)[:16]
    try:
        memory.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"cannot make {memory}: {error.strerror}") from None
    return Means(str(kit.exercise), str(kit.solution) if kit.solution else None, str(memory.resolve()), require)
