"""Rules made of two others, for lines of the rubric that rest on both."""

from __future__ import annotations

from collections.abc import Sequence

from grader.checks.causality import hides_future, sees_past
from grader.checks.contract import starts_different
from grader.checks.evidence import Evidence, Ruling
from grader.checks.gradient import acts_apart, fits_slopes, keeps_none_back, reaches_every_weight
from grader.checks.replay import keeps_record
from grader.records import Probe


def takes_part(evidence: Evidence, probes: Sequence[Probe]) -> Ruling:
    """Every weight takes part on its own and is listed, and the fresh ones (asked first) start different."""
    fresh, asked = probes[:1], probes[1:]
    wrong = reaches_every_weight(evidence, asked) or keeps_none_back(evidence, asked) or acts_apart(evidence, asked)
    return wrong or starts_different(evidence, fresh)


def is_causal(evidence: Evidence, probes: Sequence[Probe]) -> Ruling:
    """The future never moves a row, the past and the row itself do."""
    return hides_future(evidence, probes) or sees_past(evidence, probes)


def gradient_of_record(evidence: Evidence, probes: Sequence[Probe]) -> Ruling:
    """The gradient is right, and belongs to the computation that made the output."""
    return fits_slopes(evidence, probes) or keeps_record(evidence, probes)


def gradient_everywhere(evidence: Evidence, probes: Sequence[Probe]) -> Ruling:
    """The same at ordinary rows for every weight, and the slope at the row without spread (asked last)."""
    ordinary = probes[:-1]
    wrong = gradient_of_record(evidence, ordinary) or fits_slopes(evidence, probes[-1:])
    return wrong or reaches_every_weight(evidence, ordinary)
