"""What an audit works with: what became of each hand-in, and the figures that all of them add up to."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

from grader.corpus import Case, Pair
from grader.records import Component, Status


@dataclass(frozen=True)
class Line:
    """One line of a report, as much of it as the audit looks at."""

    id: str
    pair: Pair
    status: Status
    lost: int


@dataclass(frozen=True)
class Outcome:
    """What became of one hand-in under one seed.

    ``names`` are the misconceptions that were named, None where nobody asked. ``alone`` is the check without which
    this hand-in would keep full marks. ``broken`` says why there is no report. ``confirmed`` are the components that
    equal the reference with all parameters different, None where nobody asked.
    """

    case: Case
    seed: int
    score: int = 0
    lines: tuple[Line, ...] = ()
    names: tuple[str, ...] | None = None
    alone: str | None = None
    broken: str | None = None
    confirmed: tuple[Component, ...] | None = None

    @property
    def lost(self) -> tuple[Line, ...]:
        return tuple(line for line in self.lines if line.status != "passed")

    @property
    def ruled(self) -> tuple[Line, ...]:
        """The lost lines that did not just wait for another."""
        return tuple(line for line in self.lost if line.status != "blocked")

    @property
    def whole(self) -> bool:
        return not self.lost and not self.broken


@dataclass(frozen=True)
class Share:
    """So many of so many."""

    count: int
    total: int

    @property
    def interval(self) -> tuple[float, float]:
        """Where the true share lies with 95 % confidence (Wilson)."""
        n, z = self.total, 1.959964
        if not n:
            return 0.0, 1.0
        p, scale = self.count / n, 1 + z * z / n
        middle, half = (p + z * z / (2 * n)) / scale, z * sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / scale
        return max(0.0, middle - half), min(1.0, middle + half)


@dataclass(frozen=True)
class Trouble:
    """One hand-in that the grader judged otherwise than the corpus says, under one seed."""

    name: str
    seed: int
    what: str


@dataclass(frozen=True)
class Catches:
    """How many faults a check catches, and how many only it catches."""

    check: str
    faults: int
    alone: int


@dataclass(frozen=True)
class Findings:
    """The audit's figures. Every tuple of troubles is empty when the grader is as it should be.

    ``fitting``: what must fail loses its points; ``direct``: to a line that did not just wait for another.
    ``confirmed``: right hand-ins that equal the reference with all parameters different; ``equal``: wrong ones that do
    so in each component of their fault, which then lies elsewhere (gradients, fresh weights, sizes).
    """

    seeds: tuple[int, ...]
    reference: Share
    stub: Share
    right: Share
    caught: Share
    fitting: Share
    direct: Share
    named: Share
    confirmed: Share
    equal: Share
    broken: tuple[Trouble, ...]
    right_that_lose: tuple[Trouble, ...]
    wrong_that_keep: tuple[Trouble, ...]
    not_where_they_should: tuple[Trouble, ...]
    collateral: tuple[Trouble, ...]
    false_names: tuple[Trouble, ...]
    missed_names: tuple[Trouble, ...]
    unconfirmed: tuple[Trouble, ...]
    checks: tuple[Catches, ...]

    @property
    def clean(self) -> bool:
        """Whether every hand-in was judged as the corpus says. A fault that gets no name is a pity, not a fault."""
        troubles = (self.broken, self.right_that_lose, self.wrong_that_keep, self.not_where_they_should)
        shares = (self.reference, self.stub, self.right, self.caught)
        return not any((*troubles, self.collateral, self.false_names)) and all(s.count == s.total for s in shares)
