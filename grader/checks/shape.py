"""Rules on the shape of answers: Values of the input's shape, computed from the input."""

from __future__ import annotations

from collections.abc import Sequence

from grader.checks.evidence import Evidence, Ruling, called, usable
from grader.compare import same, shape
from grader.records import Numbers, Probe


def keeps_shape(evidence: Evidence, probes: Sequence[Probe]) -> Ruling:
    """Every answer has the shape of its input, and answers differ from the input and from each other."""
    return misshapen(evidence, probes) or _computed(evidence, probes[0])


def misshapen(evidence: Evidence, probes: Sequence[Probe]) -> Ruling:
    """The first answer that is not finite Values of its input's shape."""
    for probe in probes:
        for k, answer in enumerate(evidence.observed[probe].answers):
            want = shape(probe.calls[k].x)
            if not usable(answer, want):
                return f"{called(probe, k)} returned {answer.said}; expected {_wanted(want)}."
    return None


def _wanted(want: tuple[int, ...]) -> str:
    values = f"{want[-1]} Value{'s' if want[-1] != 1 else ''}"
    if len(want) == 1:
        return f"a list of {values}"
    return f"a list of {want[0]} list{'s' if want[0] != 1 else ''} of {values}"


def _computed(evidence: Evidence, probe: Probe) -> Ruling:
    """A shape alone is no work: zeros and the input itself are not answers."""
    one, two = evidence.numbers(probe, 0), evidence.numbers(probe, 1)
    if _is_input(one, probe.calls[0].x):
        return f"{called(probe, 0)} returned its input unchanged; expected new Values computed from it."
    if same(one, two):
        return f"{called(probe, 0)} returned the same numbers for two different inputs; expected an answer to each."
    return None


def _is_input(numbers: Numbers, x: Numbers) -> bool:
    return same(numbers, x, 0.0)
