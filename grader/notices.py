"""What costs no points but should be known: printing, tuples, a seed, an overflow, letters that nobody can see."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from grader.checks.ask_attention import attention_overflow
from grader.records import COMPONENTS, Component, Notice, Probe, Report, Submission, Transcript

_SEEDS = re.compile(r"\brandom\.seed\(|^\s*seed\(", re.MULTILINE)
# Zero-width characters and those that turn the direction of writing: code that reads other than it runs.
_INVISIBLE = re.compile("[\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]")


def extra_probes(seed: int) -> tuple[Probe, ...]:
    """What is asked for notices alone."""
    return attention_overflow(seed)


def notices(submission: Submission, transcript: Transcript) -> tuple[Notice, ...]:
    """All notices on one submission."""
    return (*_on_text(submission.text or ""), *_on_answers(transcript))


def confirmations(report: Report, confirmed: Collection[Component]) -> Iterator[Notice]:
    """What the random-parameter oracle says of the components that were graded."""
    graded = list(dict.fromkeys(result.component for result in report.results))
    equal = [c for c in graded if c in confirmed]
    read = [c for c in graded if c != "TransformerBlock" or {*COMPONENTS} - {*confirmed} == {c}]  # else its parts tell
    whole = [c for c in read if c not in confirmed and all(r.status == "passed" for r in report.of(c))]
    if equal:
        yield Notice(
            None, f"Confirmed with all parameters different, equal to the reference to 1e-9: {', '.join(equal)}."
        )
    if whole:
        yield Notice(
            None,
            f"Not confirmed with all parameters different: {', '.join(whole)}. No order of the parameters that was "
            "tried gives the reference's numbers. It costs nothing, for the layout may be an unusual one; have a look.",
        )


def _on_text(text: str) -> Iterator[Notice]:
    if _SEEDS.search(text):
        yield Notice(None, "The code calls random.seed, which changes the random numbers of whoever uses it; accepted.")
    hidden = _INVISIBLE.search(text)
    if hidden:
        line = text.count("\n", 0, hidden.start()) + 1
        yield Notice(
            None, f"Line {line} holds an invisible character (U+{ord(hidden.group()):04X}); read it with care."
        )


def _on_answers(transcript: Transcript) -> Iterator[Notice]:
    if transcript.printed:
        yield Notice(None, f"The code printed {transcript.printed:,} bytes while it was graded; they were dropped.")
    for component in dict.fromkeys(probe.component for probe in transcript.observations):
        seen = [o for p, o in transcript.observations.items() if p.component == component]
        if any(answer.tuples for o in seen for answer in o.answers):
            yield Notice(component, "It returns tuples where the text says lists; accepted.")
    overflow = [transcript.observations[p] for p in attention_overflow(0) if p in transcript.observations]
    if any(o.fault and o.fault.type == "OverflowError" for o in overflow):
        text = "The softmax overflows on scores near 2000; subtract the row's maximum first. Accepted."
        yield Notice("MultiHeadAttention", text)
