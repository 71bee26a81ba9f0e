"""Names the misconception behind wrong numbers: the one whose answers to the same probes are the student's."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from typing import TypeAlias

from grader.checks import ask_attention, ask_block, ask_rows
from grader.compare import flat, shape
from grader.records import Component, Numbers, Observation, Probe, Submission

Signature: TypeAlias = tuple["str | float", ...]
CLOSE = 1e-6  # recorded fingerprints keep eight digits; two misconceptions differ by 1e-4 and more
ENOUGH = 12  # numbers that must agree: an exception in common is no evidence


def comparable(seed: int) -> dict[Component, tuple[Probe, ...]]:
    """Per component, the probes that right hand-ins of one reading answer alike, whatever their layout."""
    return {
        "MultiHeadAttention": (
            *ask_attention.attention_values(seed),
            *ask_attention.attention_unmasked(seed),
            *ask_attention.attention_zero(seed),
            ask_attention.attention_strong(seed)[0],
            *ask_attention.attention_even_slope(seed),
        ),
        "LayerNorm": (
            *ask_rows.norm_fresh(seed),
            *ask_rows.norm_eps(seed),
            *ask_rows.norm_affine(seed),
            *ask_rows.norm_even_slopes(seed),
        ),
        "FeedForward": (
            *ask_rows.feedforward_sides(seed),
            *ask_rows.feedforward_values(seed),
            *ask_rows.feedforward_zero(seed),
            *ask_rows.feedforward_census(seed),
            *ask_rows.feedforward_off_slope(seed),
        ),
        "TransformerBlock": tuple(
            probe
            for ask in (
                ask_block.block_identity,
                ask_block.block_attention,
                ask_block.block_feedforward,
                ask_block.block_causal,
                ask_block.block_values,
                ask_block.block_slopes,
            )
            for probe in ask(seed)
        ),
    }


def signature(probes: Sequence[Probe], observed: Mapping[Probe, Observation]) -> Signature:
    """All that was seen in answer to ``probes`` and does not depend on the layout of the weights."""
    found: list[str | float] = []
    for probe in probes:
        seen = observed[probe]
        found.append(seen.fault.type if seen.fault else seen.outcome)
        for answer in seen.answers:
            found += [f"{answer.numbers is None}"] if answer.numbers is None else _rows_in_brief(answer.numbers)
        if seen.census:
            found.append(float(seen.census.before))
        if seen.gradients:
            found += flat(seen.gradients.inputs)
        if seen.parts:
            found += [float(seen.parts.attention), float(seen.parts.norms), float(seen.parts.feedforward)]
    return tuple(found)


def _rows_in_brief(numbers: Numbers) -> list[str | float]:
    """The shape and every number; a row of one and the same number counts once."""
    size, every = shape(numbers), flat(numbers)
    if len(size) == 2 and all(every[i] == every[i - i % size[1]] for i in range(len(every))):
        return [str(size), *every[:: size[1]]]
    return [str(size), *every]


def alike(one: Signature, other: Signature) -> bool:
    """Whether two signatures are of one and the same function, as far as was asked."""
    return len(one) == len(other) and all(_alike(a, b) for a, b in zip(one, other))


def _alike(a: str | float, b: str | float) -> bool:
    if isinstance(a, str) or isinstance(b, str):
        return a == b
    return abs(a - b) <= CLOSE * max(1.0, abs(a), abs(b))


def name_of(seen: Signature, readings: Sequence[Mapping[str, Signature]]) -> str | None:
    """The one misconception whose fingerprint is ``seen`` under some reading.

    Each reading maps names to fingerprints, and "" to the reference's own. None when ``seen`` is right under one of
    them, unknown, or not told apart.
    """
    if sum(isinstance(v, float) for v in seen) < ENOUGH or any(alike(seen, prints[""]) for prints in readings):
        return None
    found = {
        name
        for prints in readings
        for name, mark in prints.items()
        if alike(seen, mark) and not alike(mark, prints[""])
    }
    return found.pop() if len(found) == 1 else None


def lines_of(component: Component, submission: Submission) -> str:
    """Where the class stands in the hand-in: "lines 17-46", nothing when it cannot be told."""
    try:
        tree = ast.parse(submission.text or "")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ""
    found = [node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == component]
    return f"lines {found[-1].lineno}-{found[-1].end_lineno}" if found else ""
