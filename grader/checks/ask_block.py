"""What TransformerBlock is asked: with parts that stand in, so that only the block itself is judged."""

from __future__ import annotations

from random import Random

from grader.checks.draws import CYCLE, MANY, changed, negative, nudged, row, rows
from grader.records import Call, Probe, Slope, StandIns

FULL = StandIns((0.6, 0.3), (0.5, -0.7), ((0.8, 0.3), (-0.6, 0.5)))
PARTS_OFF = StandIns((0.0, 0.0), (0.0, 0.0), ((0.8, 0.3), (-0.6, 0.5)))
ATTENTION_ONLY = StandIns((0.6, 0.3), (0.0, 0.0), ((0.8, 0.3), (0.8, 0.3)))
FEEDFORWARD_ONLY = StandIns((0.0, 0.0), (0.5, -0.7), ((0.8, 0.3), (0.8, 0.3)))


def _block(calls: tuple[Call, ...], parts: StandIns) -> Probe:
    return Probe("TransformerBlock", (4, 2), calls, stand_ins=parts)


def block_shapes(seed: int) -> tuple[Probe, ...]:
    """T = 3, again 3, 1, 6 > D and the first input once more."""
    rng = Random(f"block shapes {seed}")
    x = rows(rng, 3, 4)
    return (_block((Call(x), *(Call(rows(rng, T, 4)) for T in (3, 1, 6)), Call(x)), FULL),)


def block_identity(seed: int) -> tuple[Probe, ...]:
    """Both branches silent."""
    return (_block((Call(rows(Random(f"block identity {seed}"), 3, 4)),), PARTS_OFF),)


def block_attention(seed: int) -> tuple[Probe, ...]:
    """Only the attention branch speaks."""
    return (_block((Call(rows(Random(f"block attention {seed}"), 3, 4)),), ATTENTION_ONLY),)


def block_feedforward(seed: int) -> tuple[Probe, ...]:
    """Only the feed-forward branch speaks."""
    return (_block((Call(rows(Random(f"block feedforward {seed}"), 3, 4)),), FEEDFORWARD_ONLY),)


def block_causal(seed: int) -> tuple[Probe, ...]:
    """One row after the other changed."""
    rng = Random(f"block causal {seed}")
    x = rows(rng, 4, 4)
    return (_block(tuple(Call(v) for v in (x, *(changed(x, j, rng) for j in range(4)))), FULL),)


def block_values(seed: int) -> tuple[Probe, ...]:
    """Both branches speak, each norm in its own way; also on a single row and on many."""
    rng = Random(f"block values {seed}")
    x = rows(rng, 3, 4)
    many = Probe("TransformerBlock", (2, 1), (Call(rows(rng, MANY, 2)),), stand_ins=FULL)
    return _block((Call(x), Call(negative(x)), Call(rows(rng, 1, 4))), FULL), many


def block_slopes(seed: int) -> tuple[Probe, ...]:
    """Gradients at two points."""
    rng = Random(f"block slopes {seed}")
    found = []
    for k in range(2):
        x, slope = rows(rng, 3, 4), Slope(rows(rng, 3, 4), rows(rng, 3, 4), row(rng, CYCLE))
        calls = (Call(x), Call(nudged(x, rng)))
        found.append(Probe("TransformerBlock", (4, 2), calls, stand_ins=FULL, slope=slope, graph=k == 0))
    return tuple(found)
