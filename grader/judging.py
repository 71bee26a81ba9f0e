"""Rules on every check in rubric order: what was not answered, what waits, and what the check itself says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from grader.checks.check import Check
from grader.checks.evidence import Evidence
from grader.checks.founded import unfounded
from grader.checks.shape import misshapen
from grader.messages import blocked_message, fault_message, garbled_message, todo_message, unfounded_message
from grader.records import GARBLED, Observation, Probe, Result, Status, Submission


def judge(plan: Mapping[Check, Sequence[Probe]], evidence: Evidence, submission: Submission) -> tuple[Result, ...]:
    """One result per check. A pure function of what was observed and expected."""
    results: dict[str, Result] = {}
    status: Status
    garbled = {probe.component for probe, seen in evidence.observed.items() if _is_garbled(seen)}
    for check, probes in plan.items():
        if check.component in garbled:  # the worker never garbles, so the hand-in has taken its place
            status, message = "died", garbled_message(check)
        else:
            status, message = _rule(check, probes, evidence, submission, results)
        results[check.id] = Result(
            id=check.id,
            component=check.component,
            property=check.property,
            claim=check.claim,
            status=status,
            points=check.points if status == "passed" else 0,
            max_points=check.points,
            message=message,
            hint="" if status == "passed" else check.hint,
            seconds=sum(evidence.observed[probe].seconds for probe in probes),
        )
    for name in unfounded(plan, evidence, results):
        message = unfounded_message(results[name].component)
        results[name] = replace(results[name], status="blocked", points=0, message=message)
    return tuple(results.values())


def _is_garbled(seen: Observation) -> bool:
    return seen.outcome == "died" and seen.fault is not None and seen.fault.type == GARBLED


def _rule(
    check: Check,
    probes: Sequence[Probe],
    evidence: Evidence,
    submission: Submission,
    earlier: Mapping[str, Result],
) -> tuple[Status, str]:
    probe, seen = _first_unanswered(check, probes, evidence.observed)
    if seen and seen.outcome == "todo":
        return "todo", todo_message(check, seen, submission)
    if seen and seen.outcome == "unloadable":
        return "unloadable", fault_message(probe, seen, submission)
    waiting = [name for name in check.waits_for if name in earlier and earlier[name].status != "passed"]
    if waiting:
        return "blocked", blocked_message(waiting[0], earlier)
    if seen:
        status: Status = "failed" if seen.fault and seen.fault.type == "NotAsAsked" else _status(seen)
        return status, fault_message(probe, seen, submission)
    ruling = misshapen(evidence, probes) or check.judge(evidence, probes)
    return ("passed", "") if ruling is None else ("failed", ruling)


def _status(seen: Observation) -> Status:
    assert seen.outcome != "answered"
    return seen.outcome


def _first_unanswered(
    check: Check, probes: Sequence[Probe], observed: Mapping[Probe, Observation]
) -> tuple[Probe, Observation | None]:
    for probe in probes:
        seen = observed[probe]
        if seen.outcome != "answered" and not (check.expects_fault and seen.outcome == "raised"):
            return probe, seen
    return probes[0], None
