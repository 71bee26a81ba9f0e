"""The flow in one place: ask, observe, judge; one submission in, one report out."""

from __future__ import annotations

import platform
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property, partial
from typing import TYPE_CHECKING

from grader import __version__, own_operations, own_parts
from grader.checks.check import Check
from grader.checks.contract import fitting
from grader.checks.evidence import Evidence
from grader.checks.values import agrees, equals_reading
from grader.diagnosis import Fingerprint, fingerprint, lines_of, name_of
from grader.expectations import PUBLIC_SEED, Expectations, Observe
from grader.isolation import Level
from grader.judging import judge
from grader.kit import Kit
from grader.misconceptions import Misconception
from grader.notices import extra_probes, notices
from grader.readings import EVERY
from grader.records import (
    COMPONENTS,
    Component,
    Diagnosis,
    Environment,
    Picture,
    Probe,
    Report,
    Result,
    Submission,
    Transcript,
)
from grader.rubric import RUBRIC, plan
from grader.sandbox import given_code, observe

if TYPE_CHECKING:  # neither is in a student's bundle
    from grader.forking import ForkServer
    from grader.oracle import Oracle


class Grader:
    """Grades submissions with one seed; what is expected is asked once and kept."""

    def __init__(
        self,
        kit: Kit,
        seed: int = 0,
        checks: tuple[Check, ...] = RUBRIC,
        require: Level | None = None,
        naming: Expectations | None = None,
        remember: Callable[[Observe], Observe] | None = None,
        asking: Callable[[Probe], object] = lambda _: None,
        server: ForkServer | None = None,
    ) -> None:
        self.seed, self.checks, self._solved = seed, checks, kit.solution is not None
        given = given_code(kit.exercise)
        self._observe: Observe = partial(observe, given=given, require=require, asking=asking, server=server)
        self._plan = plan(seed, checks)
        trusting: Observe = partial(observe, given=given, require="process", apply="process")
        trusting = remember(trusting) if remember else trusting
        self._expectations = Expectations(kit.solution, seed, trusting)
        if seed == PUBLIC_SEED:
            naming = naming or self._expectations
        self.naming = naming or Expectations(kit.solution, PUBLIC_SEED, trusting)  # where fingerprints are recorded
        asked = {check.component for check in checks}
        self._composition = own_parts.composition(seed)
        self._besides = [p for p in (*extra_probes(seed), self._composition) if p.component in asked]
        self._comparable = {c: probes for c, probes in self.naming.comparable.items() if c in asked}

    def observe(self, submission: Submission, probes: Sequence[Probe]) -> Transcript:
        """What a submission answers to ``probes``."""
        return self._observe(submission, probes)

    def grade(self, submission: Submission, observe: Observe | None = None, draw: bool = False) -> Report:
        """The whole report on one submission. Raises GraderFault when the grader itself cannot do its work.

        ``observe`` stands in for asking the submission itself: what it answered before can be judged again.
        ``draw`` adds the pictures that the page shows.
        """
        observe = observe or self._observe
        asked_first = [] if self.naming is not self._expectations else self._comparable.values()
        once = dict.fromkeys(p for group in (*self._plan.values(), *asked_first, self._besides) for p in group)
        transcript = observe(submission, list(once))
        evidence = self._evidence(submission, transcript, observe)
        results = judge(self._plan, evidence, submission)
        told = self._of_own_block(submission, evidence, observe) if own_parts.needed(results, transcript) else None
        if told is not None:
            results = own_parts.acquitted(results, self.checks, told)
        elif self._composition in transcript.observations:
            seen = transcript.observations[self._composition]
            results = own_parts.belied(results, self._composition, seen, submission)
        environment = Environment(__version__, platform.python_version(), platform.platform(), transcript.isolation)
        found, noted = self._diagnoses(submission, evidence, results, observe), notices(submission, transcript)
        drawn = _drawn(self.seed, evidence) if draw else ()
        return Report(submission, self.seed, results, environment, transcript.seconds, found, noted, drawn)

    def _evidence(self, submission: Submission, transcript: Transcript, observe: Observe) -> Evidence:
        observed = transcript.observations
        readings = {component: fitting(component, observed) for component in COMPONENTS}
        readings["LayerNorm"] = readings["LayerNorm"] or EVERY["LayerNorm"]  # as constructed, all of them agree
        compared = [self._plan[check] for check in self.checks if check.judge is equals_reading]
        answered = [p for probes in compared for p in probes if observed[p].outcome == "answered"]
        wanted = [(p, r) for p in answered for r in readings[p.component]]
        lines = own_operations.lines(self.seed, own_operations.with_own(observed))
        along = observe(submission, own_operations.probes(lines)).observations if lines else {}
        return own_operations.exact(Evidence(observed, self._expectations.expect(wanted), readings), lines, along)

    def _diagnoses(
        self, submission: Submission, evidence: Evidence, results: Sequence[Result], observe: Observe
    ) -> tuple[Diagnosis, ...]:
        """The misconception behind each component that lost marks and answers like a known one."""
        lost = [c for c in self._comparable if _may_be_named([r for r in results if r.component == c])]
        probes = {component: self._comparable[component] for component in lost}
        seen = {p: evidence.observed[p] for group in probes.values() for p in group if p in evidence.observed}
        missing = [p for group in probes.values() for p in group if p not in seen]
        if missing:
            seen.update(observe(submission, missing).observations)
        names = {c: self._misconception(c, fingerprint(probes[c], seen), evidence) for c in probes}
        told = [m for c in lost for m in self.naming.library if m.name == names[c]]
        return tuple(_told(misconception, submission) for misconception in told)

    def _misconception(self, component: Component, seen: Fingerprint, evidence: Evidence) -> str | None:
        """The one name under which a known mistake answers like this, in any reading that can be meant."""
        readings = evidence.readings[component] or EVERY[component]
        compared = [
            p for c in self.checks if c.component == component and c.judge is equals_reading for p in self._plan[c]
        ]
        meant = [r for r in readings if agrees(evidence, compared, r)] or list(readings)
        known = [r for r in meant if self.naming.recorded(component, r)]
        prints = [self.naming.fingerprints(component, reading) for reading in known]
        return name_of(seen, prints)

    def confirmed(self, submission: Submission, observe: Observe | None = None) -> tuple[Component, ...]:
        """The components that equal the reference with all parameters different. Raises GraderFault without it."""
        seen = (observe or self._observe)(submission, self.oracle.probes).observations
        return tuple(self.oracle.fits(seen))

    @cached_property
    def oracle(self) -> Oracle:
        from grader.oracle import Oracle

        return Oracle(self.seed, self._expectations)

    def _of_own_block(self, submission: Submission, evidence: Evidence, observe: Observe) -> str | None:
        """None for a block that is not right with its own parts, else what equal parameters hide of it."""
        probes = own_parts.ask(self.seed)
        seen = observe(submission, probes).observations
        readings = own_parts.fitting(probes, seen, evidence.readings)
        expected = self._expectations.expect((p, reading) for p in own_parts.matched(probes) for reading in readings)
        own = replace(evidence, observed=seen, expected=expected, readings={"TransformerBlock": readings})
        if not own_parts.is_right(probes, own):
            return None
        return own_parts.out_of_order(probes, seen) or self._known_mistake(submission, observe)

    def _known_mistake(self, submission: Submission, observe: Observe) -> str:
        """The sentence of the misconception that the block is, number for number; the reference has to be here."""
        if not self._solved:
            return ""
        return self.oracle.mistake(observe(submission, self.oracle.probes).observations)


def _may_be_named(results: Sequence[Result]) -> bool:
    """Whether marks were lost in a way that answers tell apart; who hung or died is not asked for its numbers again."""
    statuses = {result.status for result in results} - {"passed", "todo", "unloadable"}
    return bool(statuses) and not statuses & {"timeout", "died", "memory"}


def _drawn(seed: int, evidence: Evidence) -> tuple[Picture, ...]:
    from grader.pictures import pictures  # only the page has pictures

    return pictures(seed, evidence)


def _told(misconception: Misconception, submission: Submission) -> Diagnosis:
    lines = lines_of(misconception.component, submission)
    where = f" (class {misconception.component}, {lines})" if lines else ""
    hint = f"{misconception.hint} Read: {misconception.read}."
    return Diagnosis(misconception.component, misconception.name, misconception.sentence + where, hint)
