"""Mutants that the oracle calls wrong and the grader does not, each with the reason why it may keep its marks."""

from __future__ import annotations

from dataclasses import dataclass

from tests.mutating import Mutant


@dataclass(frozen=True)
class Explained:
    """A reason, and the mutants that it is about: of this kind, with these words in the line or in the change."""

    why: str
    kind: str
    words: str
    hand_ins: tuple[str, ...] = ()

    def covers(self, mutant: Mutant) -> bool:
        where = not self.hand_ins or mutant.hand_in in self.hand_ins
        return where and self.kind == mutant.kind and self.words in f"{mutant.source}\n{mutant.change}"


EXPLAINED: tuple[Explained, ...] = ()


def reason(mutant: Mutant) -> str | None:
    """Why this mutant may survive, None when nobody has said."""
    return next((one.why for one in EXPLAINED if one.covers(mutant)), None)
