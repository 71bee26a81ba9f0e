"""One line of the rubric: who asks, who judges, what it is worth and what it waits for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from grader.checks.evidence import Judge
from grader.records import Component, Probe, Property

Ask = Callable[[int], tuple[Probe, ...]]


@dataclass(frozen=True)
class Check:
    """A claim about one component. ``after`` names the lines of the same component that it waits for."""

    name: str
    property: Property
    points: int
    after: tuple[str, ...]
    ask: Ask
    judge: Judge
    claim: str
    hint: str
    component: Component = "MultiHeadAttention"
    expects_fault: bool = False

    @cached_property
    def id(self) -> str:
        return f"{self.component}.{self.name}"

    @cached_property
    def waits_for(self) -> tuple[str, ...]:
        return tuple(f"{self.component}.{name}" for name in self.after)
