"""What LayerNorm and FeedForward are asked: one row in, one row out."""

from __future__ import annotations

from random import Random

from grader.checks.draws import CYCLE, ZERO, constant, level, negative, row, rows, slopes, varied
from grader.records import Call, Component, Probe, Setting, Slope


def _vectors(component: Component, args: tuple[float, ...], rng: Random, D: int) -> Probe:
    x = row(rng, D)
    return Probe(component, args, (Call(x), Call(row(rng, D)), Call(x)), setting=varied(rng))


def norm_shapes(seed: int) -> tuple[Probe, ...]:
    """Widths 5, 3 and 8."""
    rng = Random(f"norm shapes {seed}")
    return tuple(_vectors("LayerNorm", (D,), rng, D) for D in (5, 3, 8))


def norm_fresh(seed: int) -> tuple[Probe, ...]:
    """A fresh layer on ordinary rows, a large row, a row far from zero, and a wide one with an outlier."""
    rng = Random(f"norm fresh {seed}")
    ordinary, large, far = row(rng, 5), row(rng, 5, 60.0), tuple(1000.0 + v for v in row(rng, 5))
    return (
        Probe("LayerNorm", (5,), (Call(ordinary), Call(large), Call(far))),
        Probe("LayerNorm", (3,), (Call(row(rng, 3)),)),
        Probe("LayerNorm", (30,), (Call((*row(rng, 29), 50.0)),)),
    )


def norm_eps(seed: int) -> tuple[Probe, ...]:
    """eps where it shows: a small spread, a constant row, one channel, and other values of eps."""
    rng = Random(f"norm eps {seed}")
    small, x, constant_row = row(rng, 5, 2e-3), row(rng, 5), (0.7,) * 5
    return (
        Probe("LayerNorm", (5,), (Call(small), Call(constant_row))),
        Probe("LayerNorm", (5, 0.1), (Call(x), Call(constant_row))),
        Probe("LayerNorm", (5,), (Call(x),), kwargs=(("eps", 1.0),)),
        Probe("LayerNorm", (1,), (Call((0.7,)),)),
    )


def norm_affine(seed: int) -> tuple[Probe, ...]:
    """Scale and shift both set, to two values; also on a row without spread."""
    rng = Random(f"norm affine {seed}")
    calls = (Call(row(rng, 5)), Call(row(rng, 5)), Call((0.5,) * 5))  # 0.5: its mean is exact
    return tuple(Probe("LayerNorm", (5,), calls, setting=constant(c)) for c in (0.7, -1.3))


def norm_slopes(seed: int) -> tuple[Probe, ...]:
    """Gradients at two points."""
    return slopes("LayerNorm", (5,), seed, 0, 5)


def norm_even_slopes(seed: int) -> tuple[Probe, ...]:
    """Gradients of the inputs of a fresh layer and under equal parameters, to tell misconceptions apart."""
    rng = Random(f"norm even slopes {seed}")
    slope = Slope(row(rng, 5), row(rng, 5), row(rng, CYCLE), step=0.0)
    calls = (Call(row(rng, 5)),)
    return tuple(Probe("LayerNorm", (5,), calls, setting=s, slope=slope) for s in (Setting(), constant()))


def norm_flat_slope(seed: int) -> tuple[Probe, ...]:
    """The gradient at a row with no spread at all."""
    rng = Random(f"norm flat {seed}")
    slope = Slope(row(rng, 5), row(rng, 5), row(rng, CYCLE))
    return (Probe("LayerNorm", (5, 0.1), (Call((0.7,) * 5),), setting=varied(rng), slope=slope),)


def feedforward_shapes(seed: int) -> tuple[Probe, ...]:
    """Widths 5 and 1 with the default hidden width, and a smaller and a larger hidden_dim, by position and by name."""
    rng = Random(f"feedforward shapes {seed}")
    named = Probe("FeedForward", (5,), (Call(row(rng, 5)),), kwargs=(("hidden_dim", 7),), setting=varied(rng))
    plain = [_vectors("FeedForward", (D,), rng, D) for D in (5, 1)]
    return (*plain, _vectors("FeedForward", (4, 3), rng, 4), named)


def feedforward_fresh(seed: int) -> tuple[Probe, ...]:
    """As constructed, nothing set: what the weights start with."""
    return (Probe("FeedForward", (5,), (Call(row(Random(f"feedforward fresh {seed}"), 5)),), seed=seed),)


def feedforward_census(seed: int) -> tuple[Probe, ...]:
    """Equal parameters and an input that switches every hidden unit on: each weight must get a gradient."""
    rng = Random(f"feedforward census {seed}")
    slope = Slope((1.0, -0.5, 0.8, 0.6, -0.9), row(rng, 5), row(rng, CYCLE), step=0.0)
    return (
        Probe("FeedForward", (5,), (Call(level(2.0, 5)),), setting=constant(), slope=slope, graph=True, unlisted=True),
    )


def feedforward_off_slope(seed: int) -> tuple[Probe, ...]:
    """Gradients where every hidden unit is off, to tell misconceptions apart."""
    rng = Random(f"feedforward off {seed}")
    slope = Slope((1.0, -0.5, 0.8, 0.6, -0.9), row(rng, 5), row(rng, CYCLE), step=0.0)
    return (Probe("FeedForward", (5,), (Call(level(-3.0, 5)),), setting=constant(), slope=slope),)


def feedforward_zero(seed: int) -> tuple[Probe, ...]:
    """All parameters zero."""
    x = row(Random(f"feedforward zero {seed}"), 5)
    return (Probe("FeedForward", (5,), (Call(x),), setting=ZERO),)


def feedforward_sides(_: int) -> tuple[Probe, ...]:
    """Equal parameters: two rows that switch every hidden unit off, three that switch every one on, one of them far."""
    totals = (-6.0, -3.0, 1.0, 2.0, 80.0)
    above = tuple(Call(level(total, 5, 0.8)) for total in totals)
    below = tuple(Call(level(-2.0 - total, 5, 0.8)) for total in totals)  # mirrored about the bias
    return tuple(Probe("FeedForward", (5,), calls, setting=constant(c)) for c, calls in ((0.4, above), (-0.4, below)))


def feedforward_values(seed: int) -> tuple[Probe, ...]:
    """Equal parameters of both signs, x and -x, with the default and another hidden width."""
    rng = Random(f"feedforward values {seed}")
    x = rows(rng, 2, 5)
    calls = tuple(Call(v) for v in (*x, *negative(x)))
    above, below = (Probe("FeedForward", (5,), calls, setting=constant(c)) for c in (0.4, -0.3))
    return above, below, Probe("FeedForward", (5, 7), calls, setting=constant())


def feedforward_slopes(seed: int) -> tuple[Probe, ...]:
    """Gradients at three points: a hidden unit that is off at all of them is rare."""
    return slopes("FeedForward", (4, 12), seed, 0, 4, points=3, graphs=3)
