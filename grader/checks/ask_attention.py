"""What MultiHeadAttention is asked. Sizes differ (T, D, H, head_dim), so that no mix-up of two goes unseen."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from grader.checks.draws import (
    CONSTANT,
    CYCLE,
    MANY,
    ZERO,
    changed,
    constant,
    level,
    negative,
    row,
    rows,
    slopes,
    varied,
)
from grader.records import Call, Probe, Rows, Slope


def attention_shapes(seed: int) -> tuple[Probe, ...]:
    """One instance called with T = 3, again 3, 1, 7 > D, causal off and on, and the first input once more."""
    rng = Random(f"attention shapes {seed}")
    x = rows(rng, 3, 6)
    longer = (Call(rows(rng, 3, 6)), Call(rows(rng, 1, 6)), Call(rows(rng, 7, 6)))
    calls = (Call(x), *longer, Call(x, False), Call(x, True), Call(x))
    more = [Probe("MultiHeadAttention", (D, H), (Call(rows(rng, 2, D)),), setting=varied(rng)) for D, H in SIZES]
    return (Probe("MultiHeadAttention", (6, 2), calls, setting=varied(rng)), *more)


SIZES = ((4, 1), (4, 4), (6, 3))


def attention_fresh(seed: int) -> tuple[Probe, ...]:
    """As constructed, nothing set: what the weights start with."""
    return (Probe("MultiHeadAttention", (6, 2), (Call(rows(Random(f"attention fresh {seed}"), 2, 6)),), seed=seed),)


def attention_indivisible(_: int) -> tuple[Probe, ...]:
    """Sizes that do not divide, and no call: it must refuse at construction."""
    return tuple(Probe("MultiHeadAttention", size) for size in ((5, 2), (6, 4), (2, 4)))


def attention_zero(seed: int) -> tuple[Probe, ...]:
    """All parameters zero."""
    x = rows(Random(f"attention zero {seed}"), 3, 6)
    return (Probe("MultiHeadAttention", (6, 2), (Call(x),), setting=ZERO),)


def attention_causal(seed: int) -> tuple[Probe, ...]:
    """The same input with one row after the other changed: first as it is called by default, then by the flag.

    The flag comes after a call without the mask, which must not stick.
    """
    rng = Random(f"attention causal {seed}")
    x = rows(rng, 4, 6)
    inputs = (x, *(changed(x, j, rng) for j in range(4)))
    by_default = Probe("MultiHeadAttention", (6, 2), tuple(Call(v) for v in inputs), setting=varied(rng))
    y = rows(rng, 4, 4)
    by_flag = [Call(v, True) for v in (y, changed(y, 1, rng), changed(y, 3, rng))]
    by_position = [Call(v, True, True) for v in (y, changed(y, 3, rng))]
    narrow = Probe("MultiHeadAttention", (3, 3), tuple(Call(v) for v in _narrow(rng)), setting=varied(rng))
    single = Probe("MultiHeadAttention", (3, 1), tuple(Call(v) for v in _narrow(rng)), setting=varied(rng))
    flags = Probe("MultiHeadAttention", (4, 2), (Call(y, False), *by_flag, *by_position), setting=varied(rng))
    return by_default, flags, narrow, single


def _narrow(rng: Random) -> tuple[Rows, Rows]:
    x = rows(rng, 6, 3)
    return x, changed(x, 5, rng)


def attention_strong(seed: int) -> tuple[Probe, ...]:
    """Scores up to 300: a mask that is not negative enough lets the future in."""
    d, D = 3, 6
    own, ahead = (75.0 / d**0.5) ** 0.5, (300.0 / d**0.5) ** 0.5  # scores: own 75, of row 1 by row 0 150, of row 1 300
    x = (level(own / CONSTANT - 1.0, D), level(ahead / CONSTANT - 1.0, D))
    equal = Probe("MultiHeadAttention", (D, 2), (Call(x), Call((x[0], level(-2.0, D)))), setting=constant())
    rng = Random(f"attention strong {seed}")
    far, other = (tuple(tuple(7.0 * v for v in r) for r in rows(rng, 5, D)) for _ in range(2))
    calls = [Call((*far[:j], other[j], *far[j + 1 :])) for j in (1, 3, 4)]
    return equal, Probe("MultiHeadAttention", (D, 2), (Call(far), *calls), setting=varied(rng))


def attention_overflow(_: int) -> tuple[Probe, ...]:
    """Scores near 2000, where exp overflows unless the maximum is subtracted first: a notice, no points."""
    x = (level(80.0, 6), level(85.0, 6))
    return (Probe("MultiHeadAttention", (6, 2), (Call(x),), setting=constant()),)


def attention_open(seed: int) -> tuple[Probe, ...]:
    """causal=False by name and by position, with the last row changed; a first call with the mask must not stick."""
    rng = Random(f"attention open {seed}")
    x = rows(rng, 4, 4)
    y = changed(x, 3, rng)
    calls = (Call(x), Call(x, False), Call(y, False), Call(x, False, True), Call(y, False, True))
    return (Probe("MultiHeadAttention", (4, 2), calls, setting=varied(rng)),)


def attention_values(seed: int) -> tuple[Probe, ...]:
    """Equal parameters, both signs of the input, every number of heads from 1 to D, many rows."""
    rng = Random(f"attention values {seed}")
    x = rows(rng, 4, 6)
    two = Probe("MultiHeadAttention", (6, 2), (Call(x), Call(negative(x))), setting=constant())
    below = Probe("MultiHeadAttention", (6, 2), (Call(x),), setting=constant(-0.3))
    more = [Probe("MultiHeadAttention", (D, H), (Call(rows(rng, 3, D)),), setting=constant()) for D, H in SIZES]
    many = Probe("MultiHeadAttention", (2, 1), (Call(rows(rng, MANY, 2)),), setting=constant())
    return (two, below, *more, many)


def attention_unmasked(seed: int) -> tuple[Probe, ...]:
    """Equal parameters with causal=False."""
    x = rows(Random(f"attention unmasked {seed}"), 3, 6)
    return (Probe("MultiHeadAttention", (6, 2), (Call(x, False), Call(negative(x), False)), setting=constant()),)


def attention_single(seed: int) -> tuple[Probe, ...]:
    """One row at a time, with scores far from zero: the only weight there is must be 1, so the answer is affine.

    Then equal rows, whose weights sum to 1 over one and the same value. Under four sets of parameters: one may make
    every score positive, and none makes one that exp() cannot take.
    """
    rng = Random(f"attention single {seed}")
    zero = tuple(0.0 for _ in range(6))
    found = []
    for _ in range(4):
        points = [tuple(8.5 * v for v in row(rng, 6)) for _ in range(3)]
        calls = [Call((zero,))]
        for point in points:
            calls += [Call((point,)), Call((tuple(-v for v in point),))]
        calls.append(Call((points[0], points[0])))
        found.append(Probe("MultiHeadAttention", (6, 2), tuple(calls), setting=varied(rng)))
    return tuple(found)


def attention_graph(seed: int) -> tuple[Probe, ...]:
    """The recorded computation of three rows with three heads."""
    rng = Random(f"attention graph {seed}")
    return (Probe("MultiHeadAttention", (6, 3), (Call(rows(rng, 3, 6)),), setting=varied(rng), graph=True),)


def attention_even_slope(seed: int) -> tuple[Probe, ...]:
    """Gradients of the inputs under equal parameters, to tell misconceptions apart."""
    rng = Random(f"attention even slope {seed}")
    slope = Slope(rows(rng, 3, 6), rows(rng, 3, 6), row(rng, CYCLE), step=0.0)
    return (Probe("MultiHeadAttention", (6, 2), (Call(rows(rng, 3, 6)),), setting=constant(), slope=slope),)


def attention_slopes(seed: int) -> tuple[Probe, ...]:
    """Gradients at two points, the second for the case that a kink lies beside the first."""
    first, *rest = slopes("MultiHeadAttention", (4, 2), seed, 3, 4)
    return replace(first, unlisted=True), *rest
