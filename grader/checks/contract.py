"""Rules on the contract: construction, parameters, and calls that leave no trace."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache

from grader.checks.evidence import Evidence, Ruling, built, called
from grader.compare import digits, first_difference
from grader.readings import EVERY, Reading
from grader.records import Census, Component, Observation, Probe


def refuses(evidence: Evidence, probes: Sequence[Probe]) -> Ruling:
    """Construction with sizes that do not divide raises AssertionError."""
    for probe in probes:
        seen = evidence.observed[probe]
        fault = seen.fault
        if seen.outcome == "answered":
            return f"{built(probe)} was accepted, but {_reason(probe)}; expected AssertionError at construction."
        if fault is None or seen.outcome != "raised" or fault.stage != "construct":
            return f"{built(probe)} did not end in AssertionError at construction."
        if fault.type != "AssertionError" and not fault.type.endswith("(AssertionError)"):
            return f"{built(probe)} raised {fault.type}; expected AssertionError, as `assert` raises it."
    return None


def _reason(probe: Probe) -> str:
    return f"{probe.args[0]:g} is not divisible by {probe.args[1]:g}"


def lists_parameters(evidence: Evidence, probes: Sequence[Probe]) -> Ruling:
    """parameters() lists exactly the weights of an accepted reading, each once, from construction on."""
    trouble = keeps_parameters(evidence, probes)
    if trouble:
        return trouble
    counts = [census.before for probe in probes if (census := evidence.observed[probe].census)]
    fits = any([counted(r, p) for p in probes] == counts for r in EVERY[probes[0].component])
    return None if fits else _wrong_count(evidence, probes)


def keeps_parameters(evidence: Evidence, probes: Sequence[Probe]) -> Ruling:
    """Each parameter is listed once, and forward neither adds nor changes one."""
    for probe in probes:
        census = evidence.observed[probe].census
        assert census is not None
        trouble = _trouble(probe, census)
        if trouble:
            return trouble
    return None


def _trouble(probe: Probe, census: Census) -> Ruling:
    what = f"parameters() of {built(probe)}"
    if census.before != census.unique:
        twice = census.before - census.unique
        return (
            f"{what} lists {census.before} Values, but only {census.unique} different ones "
            f"({twice} repeated); expected each weight once."
        )
    if census.after != census.before:
        return (
            f"{what} lists {census.before} Values before the first call and {census.after} "
            "after it; expected the same from construction on."
        )
    if not census.same:
        return (
            f"{what} lists other Value objects after a call than before; expected the same "
            "objects from construction on."
        )
    if not census.kept:
        return (
            f"{what} were set to known numbers, and a call of forward changed them; expected "
            "forward to leave them alone."
        )
    return None


def _wrong_count(evidence: Evidence, probes: Sequence[Probe]) -> str:
    for probe in probes:
        census = evidence.observed[probe].census
        assert census is not None
        counts = {counted(reading, probe) for reading in EVERY[probe.component]}
        if census.before not in counts:
            usual = counted(EVERY[probe.component][0], probe)
            return (
                f"parameters() of {built(probe)} lists {census.before} Values; expected {_usual(probe, usual, counts)}."
            )
    return (
        f"The numbers of parameters of {built(probes[0])} and other sizes fit no one layout; "
        "expected the same layout at every size."
    )


def _usual(probe: Probe, usual: int, counts: set[int]) -> str:
    if len(counts) == 1:
        return str(usual)
    return f"{usual} with a bias in every layer (an accepted layout has {min(counts)} to {max(counts)})"


@lru_cache(maxsize=10_000)
def counted(reading: Reading, probe: Probe) -> int:
    """How many parameters a reading has for a probe's construction."""
    hidden = dict(probe.kwargs).get("hidden_dim") or (
        probe.args[1] if probe.component == "FeedForward" and len(probe.args) > 1 else None
    )
    return reading.count(*[int(a) for a in probe.args], hidden_dim=None if hidden is None else int(hidden))


def fitting(component: Component, observed: Mapping[Probe, Observation]) -> tuple[Reading, ...]:
    """The readings whose parameter counts are those that were seen, at every size that was asked."""
    seen = [(p, o.census) for p, o in observed.items() if p.component == component and o.census and p.calls]
    if component == "TransformerBlock" or not seen:
        return EVERY[component] if component == "TransformerBlock" else ()
    sizes = {(p.args, p.kwargs): (p, census.before) for p, census in seen}.values()
    return tuple(r for r in EVERY[component] if all(counted(r, p) == count for p, count in sizes))


def leaves_no_trace(evidence: Evidence, probes: Sequence[Probe]) -> Ruling:
    """The caller's input is untouched, and the same call gives the same answer whatever was called between."""
    for probe in probes:
        answers = evidence.observed[probe].answers
        for k, answer in enumerate(answers):
            if not answer.untouched:
                return (
                    f"{called(probe, k)} changed the caller's input; expected it as it was "
                    "(Value has no in-place add: x[i] += y writes into x)."
                )
        for k, call in enumerate(probe.calls):
            first = probe.calls.index(call)
            differs = first_difference(evidence.numbers(probe, k), evidence.numbers(probe, first), 1e-12)
            if differs:
                place, now, then = differs[0], *digits(differs[1], differs[2])
                return (
                    f"{called(probe, k)} gave {then} at {place} the first time and {now} "
                    "the next time; expected the same answer to the same call."
                )
    return None


def stands_in(evidence: Evidence, probes: Sequence[Probe]) -> Ruling:
    """The block is made of one attention, two norms and one feed-forward part, all registered, and nothing else."""
    seen: Observation = evidence.observed[probes[0]]
    parts, census = seen.parts, seen.census
    assert parts is not None and census is not None
    for name, count, want in (
        ("MultiHeadAttention", parts.attention, 1),
        ("LayerNorm", parts.norms, 2),
        ("FeedForward", parts.feedforward, 1),
    ):
        if count != want:
            return f"{built(probes[0])} builds {count} {name}; expected {want}."
    trouble = _trouble(probes[0], census)
    if trouble:
        return trouble
    if census.before != 8:
        more = "fewer Values than its parts have" if census.before < 8 else "Values beside those of its parts"
        return (
            f"parameters() of {built(probes[0])} lists {more} (with plain parts of 2 Values "
            f"each: {census.before}, expected 8)."
        )
    if not any(parts.norm_calls):
        return f"{built(probes[0])} builds two LayerNorms and calls neither; expected one before each branch."
    if 0 in parts.norm_calls:
        return (
            f"{built(probes[0])} builds two LayerNorms but only calls one of them; expected "
            "one before the attention, the other before the feed-forward part."
        )
    return None


def starts_different(evidence: Evidence, probes: Sequence[Probe]) -> Ruling:
    """Weights do not start as copies of each other (short numbers such as 0.1 may repeat)."""
    for probe in probes:
        census = evidence.observed[probe].census
        assert census is not None
        weights = [v for v in census.initial if v not in (0.0, 1.0)]
        copies = [v for v, n in Counter(weights).items() if n > 1 and len(f"{abs(v):.17g}") > 10]
        if len(set(weights)) <= 1 and len(census.initial) > 1:
            return (
                f"All weights of a fresh {built(probe)} are equal; expected different random "
                "numbers, or every channel learns the same."
            )
        if len(copies) * 4 > len(set(weights)):
            return (
                f"In a fresh {built(probe)} the weight {copies[0]:.6g} and {len(copies) - 1} "
                "others occur more than once; expected weights that start different."
            )
    return None
