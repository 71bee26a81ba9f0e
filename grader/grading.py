"""The flow in one place: ask, observe, judge; one submission in, one report out."""

from __future__ import annotations

import platform
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from grader import __version__, own_parts
from grader.checks.contract import counted
from grader.checks.evidence import Evidence
from grader.checks.values import equals_reading
from grader.judging import judge
from grader.messages import notices
from grader.readings import EVERY, Reading
from grader.records import (
    COMPONENTS,
    Component,
    Environment,
    GraderFault,
    Observation,
    Probe,
    Report,
    Submission,
    Transcript,
)
from grader.rubric import RUBRIC, Check, plan
from grader.sandbox import given_code, observe
from grader.submission import read

Observe = Callable[[Submission, Sequence[Probe]], Transcript]
Wanted = tuple[Probe, Reading]


@dataclass(frozen=True)
class Kit:
    """Where the parts that are not code of the grader lie, as paths; ``solution`` is None where it is not shipped."""

    exercise: Path
    solution: Path | None

    @classmethod
    def here(cls) -> Kit:
        """The checkout or installation that this grader belongs to."""
        package = Path(__file__).resolve().parent
        inside, checkout = package / "exercise", package.parent  # a wheel carries the exercise inside the package
        exercise = inside if inside.is_dir() else checkout / "exercise"
        solution = checkout / "solution"
        return cls(exercise, solution if (solution / "readings.py").is_file() else None)

    @property
    def stub(self) -> Path:
        return self.exercise / "transformer_block.py"


class Grader:
    """Grades submissions with one seed; what is expected is asked once and kept."""

    def __init__(self, kit: Kit, seed: int = 0, checks: tuple[Check, ...] = RUBRIC) -> None:
        self.seed, self.checks = seed, checks
        self._observe: Observe = partial(observe, given=given_code(kit.exercise))
        self._readings = read(kit.solution / "readings.py") if kit.solution else None
        self._plan = plan(seed, checks)
        self._expected: dict[Wanted, Observation] = {}

    def grade(self, submission: Submission) -> Report:
        """The whole report on one submission. Raises GraderFault when the grader itself cannot do its work."""
        transcript = self._observe(submission, _each_once(self._plan.values()))
        evidence = self._evidence(transcript)
        results = judge(self._plan, evidence, submission)
        if own_parts.needed(results, transcript) and self._own_block_is_right(submission, evidence):
            results = own_parts.acquitted(results, self.checks)
        environment = Environment(__version__, platform.python_version(), platform.platform(), transcript.isolation)
        found = notices(submission, transcript)
        return Report(submission, self.seed, results, environment, transcript.seconds, (), found)

    def _evidence(self, transcript: Transcript) -> Evidence:
        observed = transcript.observations
        readings = {component: fitting(component, observed) for component in COMPONENTS}
        readings["LayerNorm"] = readings["LayerNorm"] or EVERY["LayerNorm"]  # asked as constructed too, where all agree
        compared = [self._plan[check] for check in self.checks if check.judge is equals_reading]
        answered = [p for probes in compared for p in probes if observed[p].outcome == "answered"]
        self._expect((p, r) for p in answered for r in readings[p.component])
        return Evidence(observed, self._expected, readings)

    def _expect(self, wanted: Iterable[Wanted]) -> None:
        """Ask the readings what is expected and not known yet, through the same door as a submission."""
        missing = {pair: pair[1].asked(pair[0]) for pair in wanted if pair not in self._expected}
        if not missing:
            return
        if self._readings is None:
            raise GraderFault("the expected numbers are not here; grade with the seed that the kit was shipped with")
        seen = self._observe(self._readings, _each_once([tuple(missing.values())])).observations
        for pair, probe in missing.items():
            if seen[probe].outcome != "answered":
                raise GraderFault(f"the reference did not answer {probe.component}: {seen[probe].fault}")
            self._expected[pair] = seen[probe]

    def _own_block_is_right(self, submission: Submission, evidence: Evidence) -> bool:
        probes = own_parts.ask(self.seed)
        seen = self._observe(submission, probes).observations
        readings = own_parts.fitting(probes, seen, evidence.readings)
        self._expect((probe, reading) for probe in probes for reading in readings if not probe.slope)
        return own_parts.is_right(probes, replace(evidence, observed=seen, readings={"TransformerBlock": readings}))


def _each_once(groups: Iterable[Iterable[Probe]]) -> list[Probe]:
    return list(dict.fromkeys(probe for group in groups for probe in group))


def fitting(component: Component, observed: Mapping[Probe, Observation]) -> tuple[Reading, ...]:
    """The readings whose parameter counts are those that were seen, at every size that was asked."""
    seen = [(p, o.census) for p, o in observed.items() if p.component == component and o.census and p.calls]
    if component == "TransformerBlock" or not seen:
        return EVERY[component] if component == "TransformerBlock" else ()
    sizes = {(p.args, p.kwargs): (p, census.before) for p, census in seen}.values()
    return tuple(r for r in EVERY[component] if all(counted(r, p) == count for p, count in sizes))
