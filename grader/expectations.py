"""What right answers and known mistakes look like: recorded numbers where they fit, else asked like a hand-in."""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from grader.checks.values import equals_reading
from grader.compare import shape
from grader.diagnosis import Fingerprint, comparable, fingerprint
from grader.forms import to_form
from grader.misconceptions import Misconception, library
from grader.own_parts import ask, matched
from grader.readings import EVERY, Reading, blocks
from grader.records import Answer, Component, GraderFault, Numbers, Observation, Probe, Submission, Transcript
from grader.rubric import RUBRIC
from grader.submission import read

Observe = Callable[[Submission, Sequence[Probe]], Transcript]
Wanted = tuple[Probe, Reading]
PUBLIC_SEED = 0  # of a student's own check; what it needs is recorded
AT_ONCE = 64  # probes for one worker: with the collector off it keeps every graph
RECORDED = Path(__file__).parent / "recorded.json.gz"
BLOCKS = RECORDED.with_name("recorded_blocks.json.gz")  # with parts of their own, which few hand-ins need
PRIVATE, PRIVATE_BLOCKS = RECORDED.with_name("private.json.gz"), RECORDED.with_name("private_blocks.json.gz")


class Expectations:
    """Expected observations and fingerprints for one seed; each is found once and kept."""

    def __init__(self, solution: Path | None, seed: int, observe: Observe, recorded: bool = True) -> None:
        self._observe, self._seed = observe, seed
        self._readings = read(solution / "readings.py") if solution else None
        self._recorded: Any = _recorded(seed) if recorded else None
        self._blocks_known = not recorded
        self.comparable = comparable(seed)
        self.expected: dict[Wanted, Observation] = {}
        self._fingerprints: dict[tuple[Component, Reading], dict[str, Fingerprint]] = {}
        self._known: set[tuple[Component, Reading]] = set()  # recorded ones: what is named must not hang on the order
        self.library = library(solution / "misconceptions") if solution else _library_of(self._recorded)
        if self._recorded:
            self._take_recorded()

    def expect(self, wanted: Iterable[Wanted]) -> Mapping[Wanted, Observation]:
        """Observations of the readings, asked now where they are not known yet."""
        wanted = list(wanted)
        if not self._blocks_known and any(is_whole_block(reading) for _, reading in wanted):
            self._take_blocks()
        missing = {pair: pair[1].asked(pair[0]) for pair in wanted if pair not in self.expected}
        seen = self._asked(self._readings, missing.values())
        for pair, probe in missing.items():
            if seen[probe].outcome != "answered":
                raise GraderFault(f"the reference did not answer {probe.component}: {seen[probe].fault}")
            self.expected[pair] = seen[probe]
        return self.expected

    def fingerprints(self, component: Component, reading: Reading) -> dict[str, Fingerprint]:
        """The fingerprint of every misconception of a component under one reading, and of the reference as ""."""
        key = component, reading
        if key not in self._fingerprints and key in self._known:
            text = self._recorded["fingerprints"][component][str(EVERY[component].index(reading))]
            found = json.loads(text).items()
            self._fingerprints[key] = {name: Fingerprint(tuple(a), tuple(w)) for name, (a, w) in found}
        if key not in self._fingerprints:
            self.ask_library(component, [reading])
        return self._fingerprints[key]

    def ask_library(self, component: Component, readings: Sequence[Reading]) -> None:
        """Ask the reference and every misconception of a component for fingerprints under these readings."""
        probes = {reading: {p: reading.asked(p) for p in self.comparable[component]} for reading in readings}
        self._fingerprints.update({(component, reading): {} for reading in readings})
        for one in (None, *(m for m in self.library if m.component == component)):
            text = one.submission(self._readings) if one and self._readings else self._readings
            seen = self._asked(text, [p for asked in probes.values() for p in asked.values()])
            for reading, asked in probes.items():
                mark = fingerprint(list(asked), {probe: seen[p] for probe, p in asked.items()})
                self._fingerprints[component, reading][one.name if one else ""] = mark

    def mistaken(self, one: Misconception, reading: Reading, probes: Sequence[Probe]) -> list[Observation]:
        """What a misconception answers under a reading. Raises GraderFault where the solution is not here."""
        asked = [reading.asked(probe) for probe in probes]
        seen = self._asked(self._readings and one.submission(self._readings), asked)
        return [seen[probe] for probe in asked]

    def recorded(self, component: Component, reading: Reading) -> bool:
        """Whether a reading's fingerprints are known without asking."""
        return (component, reading) in self._known

    def _asked(self, submission: Submission | None, probes: Iterable[Probe]) -> Mapping[Probe, Observation]:
        once, seen = list(dict.fromkeys(probes)), dict[Probe, Observation]()
        if not once:
            return seen
        if submission is None:
            raise GraderFault(
                f"the numbers expected with seed {self._seed} are not recorded here; leave out --seed, or grade with "
                "the full kit"
            )
        for start in range(0, len(once), AT_ONCE):
            seen.update(self._observe(submission, once[start : start + AT_ONCE]).observations)
        return seen

    def _take_recorded(self) -> None:
        for component, probes in compared(self._seed).items():
            for index, answers in self._recorded["expected"].get(component, {}).items():
                for probe, calls in zip(probes, answers):
                    pair = probe, EVERY[component][int(index)]
                    self.expected[pair] = _observation(probe, calls)
        for component in self.comparable:
            for index in self._recorded["fingerprints"].get(component, {}):
                self._known.add((component, EVERY[component][int(index)]))

    def _take_blocks(self) -> None:
        self._blocks_known = True
        path = BLOCKS if self._seed == PUBLIC_SEED else PRIVATE_BLOCKS
        recorded = _known(path, self._seed, blocks_digest(self._seed))
        probes = matched(ask(self._seed))
        for reading, index in zip(blocks(), recorded["readings"] if recorded else ()):
            for probe, calls in zip(probes, recorded["answers"][index]):
                self.expected[probe, reading] = _observation(probe, calls)


def is_whole_block(reading: Reading) -> bool:
    """Whether it is a block with parts of its own, not with parts that stand in."""
    return reading.component == "TransformerBlock" and bool(reading.options)


def compared(seed: int) -> dict[Component, tuple[Probe, ...]]:
    """Per component, the probes whose answers checks compare with the reference."""
    found: dict[Component, dict[Probe, None]] = {}
    for check in RUBRIC:
        if check.judge is equals_reading:
            found.setdefault(check.component, {}).update(dict.fromkeys(check.ask(seed)))
    return {component: tuple(probes) for component, probes in found.items()}


def plan_digest(seed: int) -> str:
    """Changes with everything that recorded numbers answer to."""
    probes = [p for group in (compared(seed), comparable(seed)) for ps in group.values() for p in ps]
    return _digest(probes, [r for group in EVERY.values() for r in group])


def blocks_digest(seed: int) -> str:
    """The same for blocks with parts of their own."""
    return _digest(matched(ask(seed)), blocks())


def _digest(probes: Sequence[Probe], readings: Sequence[Reading]) -> str:
    asked = [list(map(to_form, probes)), [[r.options, r.exchanged] for r in readings]]
    return hashlib.sha256(json.dumps(asked).encode()).hexdigest()


def _recorded(seed: int) -> Any:
    return _known(RECORDED if seed == PUBLIC_SEED else PRIVATE, seed, plan_digest(seed))


def _known(path: Path, seed: int, plan: str) -> Any:
    """The recorded numbers, None when there are none for this seed and these probes."""
    try:
        recorded = json.loads(gzip.decompress(path.read_bytes()))
    except (OSError, ValueError, EOFError):
        return None
    return recorded if recorded["seed"] == seed and recorded["plan"] == plan else None


def _library_of(recorded: Any) -> tuple[Misconception, ...]:
    return tuple(Misconception(**fields) for fields in recorded["misconceptions"]) if recorded else ()


def _observation(probe: Probe, calls: Sequence[Any]) -> Observation:
    answers = (_answer(call.x, numbers) for call, numbers in zip(probe.calls, calls))
    return Observation("answered", answers=tuple(answers))


def _answer(x: Numbers, numbers: Any) -> Answer:
    size = shape(x)
    if len(size) == 2:  # a row of one number stands for a row of equal numbers
        return Answer(tuple(tuple(r) if len(r) > 1 else (r[0],) * size[1] for r in numbers), "", False, True)
    return Answer(tuple(numbers), "", False, True)
