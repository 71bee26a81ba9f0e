"""Rules on numbers: against the reference under equal parameters, and against what any right answer obeys."""

from __future__ import annotations

from collections.abc import Sequence

from grader.checks.evidence import Evidence, Ruling, built, called
from grader.checks.shape import misshapen
from grader.compare import VALUE_TOLERANCE, close, digits, first_difference, flat
from grader.readings import Reading
from grader.records import Numbers, Probe


def equals_reading(evidence: Evidence, probes: Sequence[Probe]) -> Ruling:
    """One accepted reading gives the same numbers in every call."""
    rulings = [_differs(evidence, probes, reading) for reading in evidence.readings[probes[0].component]]
    if not rulings:
        return (
            f"The numbers of parameters of {built(probes[0])} and other sizes fit no one layout; "
            "expected the same accepted layout at every size."
        )
    return None if None in rulings else rulings[0]


def agrees(evidence: Evidence, probes: Sequence[Probe], reading: Reading) -> bool:
    """Whether every answer that can be read has the numbers of one reading, and all of them can be read."""
    answered = all(evidence.observed[p].outcome == "answered" and (p, reading) in evidence.expected for p in probes)
    return answered and misshapen(evidence, probes) is None and _differs(evidence, probes, reading) is None


def _differs(evidence: Evidence, probes: Sequence[Probe], reading: Reading) -> Ruling:
    for probe in probes:
        expected = evidence.expected[probe, reading]
        for k in range(len(probe.calls)):
            want = expected.answers[k].numbers
            assert want is not None
            differs = first_difference(evidence.numbers(probe, k), want)
            if differs:
                got, exact = digits(differs[1], differs[2])
                return f"{called(probe, k)}{_setting(probe)}: output{differs[0]} is {got}; expected {exact}."
    return None


def _setting(probe: Probe) -> str:
    if probe.setting.how == "set" and len(probe.setting.values) == 1:
        return f" and every parameter set to {probe.setting.values[0]:g}"
    return " as constructed" if probe.setting.how == "fresh" and not probe.stand_ins else ""


def is_zero(evidence: Evidence, probes: Sequence[Probe]) -> Ruling:
    """With all parameters zero the answer is zero: the shortcut is the block's business."""
    for probe in probes:
        x, out = flat(probe.calls[0].x), flat(evidence.numbers(probe, 0))
        if all(abs(v) <= VALUE_TOLERANCE for v in out):
            continue
        first = next(v for v in out if abs(v) > VALUE_TOLERANCE)
        seen = "its input" if all(close(a, b) for a, b in zip(out, x)) else f"{first:.5g} among other numbers"
        return (
            f"{called(probe, 0)} and every parameter set to 0 returned {seen}; expected "
            "zeros (the residual is added by the block, not here)."
        )
    return None


def weights_sum_to_one(evidence: Evidence, probes: Sequence[Probe]) -> Ruling:
    """A single row has one attention weight, 1, so f(x) + f(-x) = 2 f(0) whatever the score is; so have equal rows."""
    rulings = [_is_affine(evidence, probe) or _copies(evidence, probe) for probe in probes]
    return next(filter(None, rulings), None)


def _is_affine(evidence: Evidence, probe: Probe) -> Ruling:
    """One row and its mirror image; the first call is a row of zeros."""
    zero = flat(evidence.numbers(probe, 0))
    alone = [k for k, call in enumerate(probe.calls) if len(call.x) == 1]
    for k in alone[1::2]:
        one, other = flat(evidence.numbers(probe, k)), flat(evidence.numbers(probe, k + 1))
        for c, middle in enumerate(zero):
            got = one[c] + other[c]
            if not close(got, 2 * middle, VALUE_TOLERANCE * max(10.0, abs(one[c]))):
                seen, want = digits(got, 2 * middle)
                return (
                    f"{called(probe, k)}: with one row the attention weight must be 1, so "
                    f"f(x) + f(-x) = 2 f(0) = {want}; got {seen}."
                )
    return None


def _copies(evidence: Evidence, probe: Probe) -> Ruling:
    """Equal rows have equal values, and a mean of equal values is that value."""
    alone = {call.x[0]: flat(evidence.numbers(probe, k)) for k, call in enumerate(probe.calls) if len(call.x) == 1}
    for k, call in enumerate(probe.calls):
        want = alone[call.x[0]] * len(call.x)
        for c, (got, exact) in enumerate(zip(flat(evidence.numbers(probe, k)), want)):
            if not close(got, exact, VALUE_TOLERANCE * max(10.0, abs(exact))):
                seen, right = digits(got, exact)
                row, channel = divmod(c, len(want) // len(call.x))
                return (
                    f"{called(probe, k)}, all rows equal: output[{row}][{channel}] is {seen}; expected {right} as for "
                    "one such row alone, since a weighted mean of equal values is that value."
                )
    return None


def normalises(evidence: Evidence, probes: Sequence[Probe]) -> Ruling:
    """A fresh layer gives mean 0 and the variance v / (v + eps) that eps leaves of 1."""
    for probe in probes:
        for k, call in enumerate(probe.calls):
            row = _statistics(flat(evidence.numbers(probe, k)))
            before = _statistics(flat(call.x))
            far = 1e-6 if abs(before[0]) > 100 else 1e-9  # E[x^2] - E[x]^2 is right and loses digits here
            want = before[1] / (before[1] + 1e-5)
            for name, got, exact in (("mean", row[0], 0.0), ("variance", row[1], want)):
                if not close(got, exact, far):
                    seen, right = digits(got, exact)
                    return f"{called(probe, k)} as constructed: the {name} of the output is {seen}; expected {right}."
    return None


def _statistics(row: tuple[float, ...]) -> tuple[float, float]:
    mean = sum(row) / len(row)
    return mean, sum((v - mean) * (v - mean) for v in row) / len(row)  # a power of huge numbers would raise


def switches_off(evidence: Evidence, probes: Sequence[Probe]) -> Ruling:
    """Equal parameters: with all hidden sums negative the input has no effect, with all positive a linear one."""
    for probe in probes:
        out = [flat(evidence.numbers(probe, k))[0] for k in range(len(probe.calls))]
        total = [sum(flat(call.x)) for call in probe.calls]
        if not close(out[0], out[1]):
            a, b = digits(out[0], out[1])
            return (
                f"{called(probe, 0)} and every parameter set to {probe.setting.values[0]:g}: "
                f"inputs that make every hidden sum negative gave {a} and {b}; expected "
                "the same number, since ReLU switches all of them off."
            )
        rises = [(out[k] - out[2]) / (total[k] - total[2]) for k in (3, 4)]
        if close(out[2], out[3]) or not close(rises[0], rises[1]):
            a, b = digits(rises[0], rises[1])
            return (
                f"{called(probe, 2)} and every parameter set to {probe.setting.values[0]:g}: "
                f"where every hidden sum is positive the output rises by {a} and then by "
                f"{b} per unit of input; expected one slope that is not 0, since ReLU passes "
                "positive numbers unchanged."
            )
    return None


def equals_input(evidence: Evidence, probes: Sequence[Probe]) -> Ruling:
    """With both branches silent the block is the identity."""
    for probe in probes:
        x: Numbers = probe.calls[0].x
        differs = first_difference(evidence.numbers(probe, 0), x)
        if differs:
            got, want = digits(differs[1], differs[2])
            return (
                f"{called(probe, 0)} and parts that return zeros: output{differs[0]} is "
                f"{got}; expected the input itself, {want}, carried by the two residuals."
            )
    return None
