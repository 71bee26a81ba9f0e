"""The accepted readings of multi-head attention: sizes come in, parameter counts and roles filled with c go out."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any

from tests.oracle.floats import Roles


@dataclass(frozen=True)
class Reading:
    """Full or narrow heads, with or without inner projection, and which projections have a bias.

    A head reads all channels, or narrowly its own slice or stride of them; an inner projection acts on a head's
    own output; the output projection has no bias, one, or as a sum of one projection per head one per head.
    """

    reads: str
    inner: bool
    q: bool
    k: bool
    v: bool
    inner_bias: bool
    out: str

    def count(self, D: int, H: int) -> int:
        """How many parameters this reading has."""
        d = D // H
        read = D if self.reads == "all" else d
        biases = (self.q + self.k + self.v + self.inner_bias) * D
        inner = H * d * d if self.inner else 0
        return 3 * D * read + inner + D * D + biases + D * {"none": 0, "one": 1, "per head": H}[self.out]

    def roles(self, D: int, H: int, c: float) -> Roles:
        """The roles of plain floats in which every parameter is c."""
        d = D // H
        read = D if self.reads == "all" else d

        def full_of_c(rows: int, columns: int, bias: bool) -> Any:
            return [[c] * columns for _ in range(rows)], [c] * rows if bias else None

        heads = [
            {
                **{name: full_of_c(d, read, getattr(self, name)) for name in ("q", "k", "v")},
                "channels": self.channels(D, H, h),
                "inner": full_of_c(d, d, self.inner_bias) if self.inner else None,
            }
            for h in range(H)
        ]
        if self.out == "per head":
            return {"heads": heads, "out_heads": [full_of_c(D, d, True) for _ in range(H)]}
        return {"heads": heads, "out": full_of_c(D, D, self.out == "one")}

    def channels(self, D: int, H: int, h: int) -> list[int] | None:
        """Which channels head h reads, None for all."""
        d = D // H
        return {"all": None, "slice": list(range(h * d, (h + 1) * d)), "stride": list(range(h, D, H))}[self.reads]


PROJECTIONS = [(False, False), (True, False), (True, True)]  # an inner projection, and its bias
READINGS = [
    Reading(reads, inner, q, k, v, inner_bias, out)
    for reads in ("all", "slice", "stride")
    for inner, inner_bias in PROJECTIONS
    for q, k, v in itertools.product((False, True), (False, True), (False, True))
    for out in ("one", "none", "per head")
]
