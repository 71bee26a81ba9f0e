"""What a check rules on: the submission's observations beside what is expected, and words for what was asked."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from grader.compare import shape
from grader.readings import Reading
from grader.records import Answer, Component, Numbers, Observation, Probe

Ruling: TypeAlias = "str | None"  # None: the claim holds; else what was done, seen and expected


@dataclass(frozen=True)
class Evidence:
    """Observations of the submission by probe, expectations by probe and reading, readings that fit its counts.

    ``exact``: components with operations of their own whose gradients were found to be computed, not measured.
    """

    observed: Mapping[Probe, Observation]
    expected: Mapping[tuple[Probe, Reading], Observation]
    readings: Mapping[Component, tuple[Reading, ...]]
    exact: frozenset[Component] = frozenset()

    def numbers(self, probe: Probe, call: int) -> Numbers:
        """The numbers of one answer; only for probes that a shape check has passed."""
        numbers = self.observed[probe].answers[call].numbers
        assert numbers is not None
        return numbers


Judge = Callable[[Evidence, Sequence[Probe]], Ruling]


def built(probe: Probe) -> str:
    """The construction in words: "LayerNorm(5, eps=1.0)"."""
    arguments = [f"{a:g}" for a in probe.args] + [f"{name}={value}" for name, value in probe.kwargs]
    return f"{probe.component}({', '.join(arguments)})"


def called(probe: Probe, k: int) -> str:
    """One call in words: "MultiHeadAttention(6, 2) called with 3 rows of 6 numbers, causal=False"."""
    call, size = probe.calls[k], shape(probe.calls[k].x)
    what = (
        f"{size[0]} row{'s' if size[0] != 1 else ''} of {size[1]} numbers" if len(size) == 2 else f"{size[0]} numbers"
    )
    flag = "" if call.causal is None else f", {'' if call.positional else 'causal='}{call.causal}"
    parts = ", plain parts standing in for its own" if probe.stand_ins else ""
    return f"{built(probe)} called with {what}{flag}{parts}"


def usable(answer: Answer, expected: tuple[int, ...]) -> bool:
    """Whether an answer is finite Values of the expected shape."""
    return answer.numbers is not None and shape(answer.numbers) == expected
