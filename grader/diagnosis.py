"""Names the misconception behind wrong numbers: the one whose answers to the same probes are the student's."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from grader.cells import place
from grader.checks import ask_attention, ask_block, ask_rows
from grader.compare import flat, shape
from grader.records import Component, Observation, Probe, Row, Submission

Signature: TypeAlias = tuple["str | float", ...]
CLOSE = 1e-6  # recorded fingerprints keep seven digits; two misconceptions differ by 1e-4 and more
ENOUGH = 12  # numbers that must agree: an exception in common is no evidence
STEPS = (5.0**0.5, 2.0**0.5)  # irrational: no two numbers of an answer get the same factor


@dataclass(frozen=True)
class Fingerprint:
    """What tells one function from another whatever the layout of its weights.

    ``weights`` is compared only where ``answers`` are those of a right hand-in: equal parameters hide from the
    answers which of them were used, but not from the parameters' gradients. It is empty where it is not needed.
    """

    answers: Signature
    weights: Signature = ()


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


def fingerprint(probes: Sequence[Probe], observed: Mapping[Probe, Observation]) -> Fingerprint:
    """All that was seen in answer to ``probes`` and does not depend on the layout of the weights, in brief."""
    found: list[str | float] = []
    weights: list[float] = []
    for probe in probes:
        seen = observed[probe]
        found.append(seen.fault.type if seen.fault else seen.outcome)
        for answer in seen.answers:
            found += ["None"] if answer.numbers is None else [str(shape(answer.numbers)), *_brief(flat(answer.numbers))]
        if seen.census:
            found.append(float(seen.census.unique))
        if seen.gradients:
            found += _brief(flat(seen.gradients.inputs))
            weights += _brief(sorted(abs(g) for g in seen.gradients.parameters))
        if seen.parts:
            found += [float(seen.parts.attention), float(seen.parts.norms), float(seen.parts.feedforward)]
    return Fingerprint(tuple(found), tuple(weights))


def _brief(numbers: Sequence[float]) -> Row:
    """A few weighted sums of many numbers: equal when the numbers are, and not by chance when they are not."""
    return tuple(sum(v * (0.5 + (i + 1) * step % 1.0) for i, v in enumerate(numbers)) for step in STEPS)


def alike(one: Signature, other: Signature) -> bool:
    """Whether two signatures are of one and the same function, as far as was asked."""
    return len(one) == len(other) and all(_alike(a, b) for a, b in zip(one, other))


def _alike(a: str | float, b: str | float) -> bool:
    if isinstance(a, str) or isinstance(b, str):
        return a == b
    return abs(a - b) <= CLOSE * max(1.0, abs(a), abs(b))


def name_of(seen: Fingerprint, readings: Sequence[Mapping[str, Fingerprint]]) -> str | None:
    """The one misconception whose fingerprint is ``seen``, under every reading under which any is.

    Each reading maps names to fingerprints, and "" to the reference's own. None when ``seen`` is right under one of
    them, unknown, or not told apart.
    """
    if sum(isinstance(v, float) for v in seen.answers) < ENOUGH:
        return None
    found = [names for prints in readings if (names := {name for name in prints if _fits(seen, prints, name)})]
    common = set.intersection(*found) if found else set()
    return common.pop() or None if len(common) == 1 and not any("" in names for names in found) else None


def _fits(seen: Fingerprint, prints: Mapping[str, Fingerprint], name: str) -> bool:
    """Whether ``seen`` is the mistake of this name, or right where it is ""; by the weights where answers are right."""
    mark = prints[name]
    if not alike(seen.answers, mark.answers):
        return False
    return not is_hidden(mark, prints) or alike(seen.weights, mark.weights)


def is_hidden(mark: Fingerprint, prints: Mapping[str, Fingerprint]) -> bool:
    """Whether equal parameters make a mistake answer as the reference does."""
    return alike(mark.answers, prints[""].answers)


def lines_of(component: Component, submission: Submission) -> str:
    """Where the class stands: "lines 17-46", "line 1 of In [4]" in a notebook, nothing when it cannot be told."""
    try:
        tree = ast.parse(submission.text or "")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ""
    found = [node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == component]
    if found and submission.name.endswith(".ipynb"):
        return place(submission.text or "", found[-1].lineno)
    return f"lines {found[-1].lineno}-{found[-1].end_lineno}" if found else ""
