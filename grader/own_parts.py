"""The block with its own parts: a second way to be right, and a last word where stand-ins see nothing wrong.

A block that builds its parts in a way of its own (from other classes, inline) cannot be tested with parts that
stand in. It keeps its marks when, with its own parts, it equals an accepted reading in everything that is asked.
The other way round, a block that passes with stand-ins beside parts that are right must be what its formulas make
of these parts (a LayerNorm may be right for one row and wrong for the list of rows that the block hands it).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random

from grader.checks.causality import hides_future, sees_past
from grader.checks.check import Check
from grader.checks.contract import counted, keeps_parameters
from grader.checks.draws import CYCLE, ZERO, changed, constant, negative, row, rows, varied
from grader.checks.evidence import Evidence, Judge, called
from grader.checks.gradient import fits_slopes, unused
from grader.checks.heads import score_weights
from grader.checks.operations import is_true
from grader.checks.shape import keeps_shape
from grader.checks.values import equals_reading
from grader.compare import digits, first_difference, same
from grader.messages import fault_message
from grader.readings import Reading, blocks
from grader.records import COMPONENTS, Call, Component, Graph, Observation, Probe, Result, Slope, Submission, Transcript


def needed(results: Sequence[Result], transcript: Transcript) -> bool:
    """Whether the block lost marks, and stand-ins may be why: it did not build them, or missed something in them."""
    if all(r.status in ("passed", "todo", "unloadable") for r in results if r.component == "TransformerBlock"):
        return False
    seen = [o for p, o in transcript.observations.items() if p.stand_ins and o.parts]
    return any(_not_reached(o) for o in seen)


def _not_reached(seen: Observation) -> bool:
    parts, fault = seen.parts, seen.fault
    missing = fault is not None and fault.type == "AttributeError"
    return missing or (parts is not None and 0 in (parts.attention, parts.norms, parts.feedforward))


def ask(seed: int) -> tuple[Probe, ...]:
    """Equal parameters on both sides, all zero, one row after the other changed, gradients."""
    rng = Random(f"own parts {seed}")
    x = rows(rng, 3, 4)
    equal = [Probe("TransformerBlock", (4, 2), (Call(x), Call(negative(x))), setting=constant(c)) for c in (0.3, -0.2)]
    zero = Probe("TransformerBlock", (4, 2), (Call(x), Call(negative(x))), setting=ZERO)
    inputs = (x, *(changed(x, j, rng) for j in range(3)))
    causal = Probe("TransformerBlock", (4, 2), tuple(Call(v) for v in inputs), setting=varied(rng))
    slopes = [
        Probe(
            "TransformerBlock", (4, 2), (Call(x),), setting=varied(rng),
            slope=Slope(rows(rng, 3, 4), rows(rng, 3, 4), row(rng, CYCLE)),
            graph=k == 0,
        )
        for k in range(2)
    ]  # fmt: skip
    return (*equal, zero, causal, *slopes)


def matched(probes: Sequence[Probe]) -> tuple[Probe, ...]:
    """Those of ``ask`` whose answers are compared with the reference's."""
    return tuple(p for p in probes if len(p.calls) == 2)


def fitting(
    probes: Sequence[Probe], seen: Mapping[Probe, Observation], parts: Mapping[Component, tuple[Reading, ...]]
) -> tuple[Reading, ...]:
    """Block readings with the parameter count that was seen; those of the hand-in's own parts where these fit."""
    census = seen[probes[0]].census
    if census is None:
        return ()
    found = [r for r in blocks() if counted(r, probes[0]) == census.before]

    def known(reading: Reading) -> bool:
        options = dict(reading.options)
        allowed = {"attention": "MultiHeadAttention", "feedforward": "FeedForward"}
        return all(options[key] in [p.options for p in parts[name]] for key, name in allowed.items() if parts[name])  # type: ignore[index]  # names are components

    return tuple([r for r in found if known(r)] or found)[:64]


def is_right(probes: Sequence[Probe], evidence: Evidence) -> bool:
    """Every question answered as an accepted reading answers it."""
    if any(evidence.observed[p].outcome != "answered" for p in probes) or not evidence.readings["TransformerBlock"]:
        return False
    asked: tuple[tuple[Judge, Sequence[Probe]], ...] = (
        (keeps_shape, matched(probes)[:1]),
        (keeps_parameters, probes),
        (equals_reading, matched(probes)),
        (hides_future, [p for p in probes if len(p.calls) == 4]),
        (sees_past, [p for p in probes if len(p.calls) == 4]),
        (fits_slopes, [p for p in probes if p.slope]),
    )
    return all(judge(evidence, group) is None for judge, group in asked)


def out_of_order(probes: Sequence[Probe], seen: Mapping[Probe, Observation]) -> str | None:
    """What the recorded computation tells of a block whose numbers are right under equal parameters.

    There LN(y) = LN(x), since attention adds the same to every channel: a parallel block answers like the right one.
    """
    probe = next(p for p in probes if p.graph)
    graph, T, (D, H) = seen[probe].graph, len(probe.calls[0].x), map(int, probe.args)
    if graph is None or not is_true(graph):
        return None
    idle, heads = unused(graph), len(score_weights(graph)[0])
    if idle:
        return f"{idle} of {len(graph.parameters)} parameters take no part in the result; expected none."
    if 0 < heads < H:
        return f"the attention scores come from {heads} set of weights; expected {H}, one per head."
    relus, attended = _after_exponentials(graph)
    if relus == 4 * D * T and attended == 0:
        return "the feed-forward part is computed without the attention; expected FFN(LN(y)) of y = x + MHA(LN(x))."
    return None


def _after_exponentials(graph: Graph) -> tuple[int, int]:
    """How many ReLUs there are, and how many of them were computed from an exponential; (0, 0) without any."""
    after, relus, attended = [False] * len(graph.ops), 0, 0
    for node, (op, children) in enumerate(zip(graph.ops, graph.children)):
        after[node] = op == "exp" or any(after[child] for child in children)
        relus += op == "relu"
        attended += op == "relu" and after[node]
    return (relus, attended) if any(after) else (0, 0)


def acquitted(results: Sequence[Result], checks: Sequence[Check], told: str = "") -> tuple[Result, ...]:
    """The results with the block's lines passed; all but its values where something is told of these."""
    known = {check.id: check for check in checks}

    def anew(r: Result) -> Result:
        if told and r.id == "TransformerBlock.values":
            said = f"TransformerBlock with its own parts: {told}"
            return replace(r, status="failed", points=0, message=said, hint=known[r.id].hint)
        return replace(r, status="passed", points=known[r.id].points, message="", hint="")

    return tuple(anew(r) if r.component == "TransformerBlock" else r for r in results)


def composition(seed: int) -> Probe:
    """The block beside its formulas over its own parts, with all parameters different."""
    rng = Random(f"composition {seed}")
    return Probe("TransformerBlock", (4, 2), (Call(rows(rng, 3, 4)),), setting=varied(rng), composed=True)


def belied(results: Sequence[Result], probe: Probe, seen: Observation, submission: Submission) -> tuple[Result, ...]:
    """The results; where all lines passed but the block is not made of its own parts as the text says, one fails."""
    whole = {r.component for r in results} == set(COMPONENTS) and all(r.status == "passed" for r in results)
    told = _told(probe, seen, submission) if whole else None
    return tuple(
        replace(r, status="failed", points=0, message=told) if told and r.id == "TransformerBlock.values" else r
        for r in results
    )


def _told(probe: Probe, seen: Observation, submission: Submission) -> str | None:
    if seen.outcome != "answered":
        return f"With its own parts: {fault_message(probe, seen, submission)}"
    got = seen.answers[0].numbers
    if got is None or not seen.composed or any(same(got, numbers) for numbers in seen.composed):
        return None if got is not None else f"With its own parts the block returned {seen.answers[0].said}."
    differs = first_difference(got, seen.composed[0])
    place, one, other = (differs[0], *digits(differs[1], differs[2])) if differs else ("", "another shape", "(3, 4)")
    return (
        f"{called(probe, 0)}: with its own parts the output{place} is {one}, but y = x + MHA(LN(x)) and "
        f"z = y + FFN(LN(y)), worked out row by row with the same parts, give {other}. "
        "Does a part behave otherwise when it gets all rows?"
    )
