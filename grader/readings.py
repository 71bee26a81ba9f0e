"""The accepted readings of the text: ways of being right whose numbers differ, told apart by parameter counts."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import product
from typing import Any

from grader.records import Component, Probe


@dataclass(frozen=True)
class Reading:
    """One way of being right: the options under which `solution/readings.py` takes it."""

    component: Component
    options: tuple[tuple[str, Any], ...]
    exchanged: bool = False  # for stand-in parts: which norm a block builds first is its own business

    def asked(self, probe: Probe) -> Probe:
        """The probe as the readings' file is asked it."""
        parts = probe.stand_ins
        if parts and self.exchanged:
            parts = replace(parts, norms=(parts.norms[1], parts.norms[0]))
        return replace(probe, kwargs=probe.kwargs + self.options, stand_ins=parts)

    def count(self, *args: int, hidden_dim: int | None = None) -> int:
        """How many parameters a component built with ``args`` has under this reading."""
        options = dict(self.options)
        if self.component == "MultiHeadAttention":
            return _attention_count(args[0], args[1], options)
        if self.component == "FeedForward":
            D, hidden = args[0], hidden_dim or 4 * args[0]
            return 2 * D * hidden + hidden * bool(options["bias1"]) + D * bool(options["bias2"])
        if self.component == "LayerNorm":
            return 2 * args[0]
        parts = (Reading("MultiHeadAttention", options["attention"]), Reading("FeedForward", options["feedforward"]))
        return parts[0].count(*args) + parts[1].count(args[0]) + 4 * args[0]


def _attention_count(D: int, H: int, options: dict[str, Any]) -> int:
    d = D // H
    width = D if options["reach"] == "all" else d
    biases = sum(bool(options[name]) for name in ("q_bias", "k_bias", "v_bias", "inner_bias"))
    out_biases: int = {"none": 0, "one": 1, "each": H}[options["out_bias"]]
    return 3 * D * width + bool(options["inner"]) * D * d + D * D + D * (biases + out_biases)


def _attention() -> tuple[Reading, ...]:
    """Heads over the whole row or a part of it; a projection inside the head or not; a bias or not, everywhere.

    The most usual one comes first: what is expected is told in its numbers when several fit.
    """
    flags, inners = (True, False), ((False, False), (True, True), (True, False))
    names = ("reach", "inner", "inner_bias", "out_bias", "q_bias", "k_bias", "v_bias")
    return tuple(
        Reading("MultiHeadAttention", tuple(zip(names, (reach, *inner, out_bias, q, k, v))))
        for reach, inner, out_bias in product(("all", "slice", "stride"), inners, ("one", "none", "each"))
        for q, k, v in product(flags, flags, flags)
    )


ATTENTION = _attention()
FEEDFORWARD = tuple(
    Reading("FeedForward", (("bias1", one), ("bias2", two))) for one, two in product((True, False), (True, False))
)
NORM = tuple(Reading("LayerNorm", (("offset", offset),)) for offset in (False, True))
BLOCK = tuple(Reading("TransformerBlock", (), exchanged) for exchanged in (False, True))
EVERY: dict[Component, tuple[Reading, ...]] = {
    "MultiHeadAttention": ATTENTION,
    "LayerNorm": NORM,
    "FeedForward": FEEDFORWARD,
    "TransformerBlock": BLOCK,
}


def blocks() -> tuple[Reading, ...]:
    """Every reading of a whole block with its own parts."""
    return tuple(
        Reading("TransformerBlock", (("attention", a.options), ("feedforward", f.options), ("norm", n.options)))
        for a, f, n in product(ATTENTION, FEEDFORWARD, NORM)
    )
