"""Rules on who may influence whom: the future never, the past and the row itself always."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from grader.checks.evidence import Evidence, Ruling, called
from grader.compare import digits
from grader.records import Probe, Row

UNMOVED = 1e-12  # a masked weight is exactly 0.0, so nothing but the order of a sum may differ
MOVED = 1e-9


def hides_future(evidence: Evidence, probes: Sequence[Probe]) -> Ruling:
    """A row does not move when only later rows change."""
    for probe in probes:
        for base, k, j in _changes(probe):
            for i in range(j):
                moved = _moved(evidence, probe, base, k, i)
                if moved:
                    return (
                        f"{called(probe, k)}: output row {i} moved from {moved[0]} to {moved[1]} "
                        f"when only input row {j} changed; expected no change, since row "
                        f"{j} is in its future."
                    )
    return None


def sees_past(evidence: Evidence, probes: Sequence[Probe]) -> Ruling:
    """A row moves when itself or an earlier row changes."""
    for probe in probes:
        for base, k, j in _changes(probe):
            for i in range(j, len(probe.calls[k].x)):
                if not _moved(evidence, probe, base, k, i, MOVED):
                    who = "it is the row itself" if i == j else f"row {j} is in its past"
                    return (
                        f"{called(probe, k)}: output row {i} did not move when input row "
                        f"{j} changed; expected a change, since {who}."
                    )
    return None


def sees_all(evidence: Evidence, probes: Sequence[Probe]) -> Ruling:
    """With causal=False every row moves when any row changes."""
    for probe in probes:
        for base, k, j in _changes(probe):
            for i in range(len(probe.calls[k].x)):
                if not _moved(evidence, probe, base, k, i, MOVED):
                    return (
                        f"{called(probe, k)}: output row {i} did not move when input row "
                        f"{j} changed; expected a change, since causal=False lets every "
                        "row see every row."
                    )
    return None


def _changes(probe: Probe) -> Iterator[tuple[int, int, int]]:
    """Call to compare with, call in which one row is changed, and that row."""
    for k, call in enumerate(probe.calls):
        flags = (call.causal, call.positional)
        base = next(b for b, c in enumerate(probe.calls) if (c.causal, c.positional) == flags)
        differing = [j for j, (a, b) in enumerate(zip(probe.calls[base].x, call.x)) if a != b]
        if len(differing) == 1:
            yield base, k, differing[0]


def _moved(
    evidence: Evidence, probe: Probe, base: int, k: int, i: int, tolerance: float = UNMOVED
) -> tuple[str, str] | None:
    """Two numbers of row i that differ between two calls, None when none does."""
    before, after = evidence.numbers(probe, base)[i], evidence.numbers(probe, k)[i]
    return _first(before, after, tolerance)  # type: ignore[arg-type]  # rows: only asked of components with rows


def _first(before: Row, after: Row, tolerance: float) -> tuple[str, str] | None:
    for a, b in zip(before, after):
        if abs(a - b) > tolerance * max(1.0, abs(a)):
            return digits(a, b)
    return None
