"""Whether anything shows that a component computes its answers: its numbers, or the computation that it recorded.

Who sees whom, purity, slopes and the like hold of a made-up function too. They count where the numbers agree with a
reading, or where the recorded computation, done again at moved inputs, gives the answers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from grader.checks.check import Check
from grader.checks.evidence import Evidence
from grader.checks.replay import makes_answers
from grader.checks.values import equals_reading, normalises
from grader.records import Component, Probe, Result

# Names of the lines that rest on that.
RESTING = ("pure", "past", "sees", "open", "weights", "heads", "relu", "causality", "gradient", "census")


def unfounded(
    plan: Mapping[Check, Sequence[Probe]], evidence: Evidence, results: Mapping[str, Result]
) -> frozenset[str]:
    """The ids of passed lines that rest on nothing."""
    components = {check.component for check in plan}
    baseless = {component for component in components if not _is_founded(component, plan, evidence, results)}
    return frozenset(
        check.id
        for check in plan
        if check.component in baseless and check.name in RESTING and results[check.id].status == "passed"
    )


def _is_founded(
    component: Component,
    plan: Mapping[Check, Sequence[Probe]],
    evidence: Evidence,
    results: Mapping[str, Result],
) -> bool:
    own = [check for check in plan if check.component == component]
    proving = [check for check in own if check.judge in (equals_reading, normalises)]
    if not proving or any(results[check.id].status == "passed" for check in proving):
        return True
    asked = dict.fromkeys(probe for check in own for probe in plan[check] if probe.graph)
    return any(makes_answers(evidence, probe) for probe in asked)
