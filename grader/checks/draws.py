"""Numbers to ask with, drawn from a seed in the grader: inputs, directions, and what parameters are set to."""

from __future__ import annotations

from itertools import pairwise
from random import Random

from grader.records import Call, Component, Numbers, Probe, Row, Rows, Setting, Slope

MANY = 18  # rows: more than a window or a table of 8 or 16 holds
CONSTANT = 0.4  # every parameter the same: the layout of the weights drops out
ZERO = Setting("set", (0.0,))
# A prime number of values, used in turn, so that no row or column of a weight matrix repeats another.
CYCLE = 101
NUDGE = 0.003  # a linear model is off by its square, 1e-5; few hidden units change their side within it


def row(rng: Random, D: int, size: float = 1.5) -> Row:
    """D numbers of both signs, none near zero."""
    return tuple([rng.uniform(0.2, 1.0) * size * rng.choice((-1.0, 1.0)) for _ in range(D)])


def rows(rng: Random, T: int, D: int) -> Rows:
    """T rows whose sums differ by at least 0.6 from each other and from zero; at least one of each sign."""
    while True:
        found = tuple([row(rng, D) for _ in range(T)])
        sums = sorted([*(sum(r) for r in found), 0.0])
        apart = all(b - a >= 0.6 / T for a, b in pairwise(sums))
        if apart and (T == 1 or sums[0] < 0.0 < sums[-1]):
            return found


def negative(x: Rows) -> Rows:
    """-x: a ReLU has two sides."""
    return tuple(tuple(-v for v in r) for r in x)


def varied(rng: Random, size: float = 0.5) -> Setting:
    """All parameters different: right answers depend on the layout, but invariants of right answers do not."""
    return Setting("set", tuple(rng.uniform(0.3, 1.0) * size * rng.choice((-1.0, 1.0)) for _ in range(CYCLE)))


def constant(c: float = CONSTANT) -> Setting:
    """Every parameter equal to c."""
    return Setting("set", (c,))


def changed(x: Rows, j: int, rng: Random) -> Rows:
    """x with row j replaced by something far away."""
    return (*x[:j], tuple(3.0 + 2.0 * abs(v) for v in row(rng, len(x[0]))), *x[j + 1 :])


def nudged(x: Numbers, rng: Random) -> Numbers:
    """x with every number moved by about NUDGE, up or down, and the sum of each row as it was.

    The sum stays because the mean within a variance may be a plain number: its derivative there is 0.
    """

    def move(r: Row) -> Row:
        signs = [rng.choice((-1.0, 1.0)) for _ in r]
        if len(set(signs)) == 1:
            signs[0] = -signs[0]
        mean = sum(signs) / len(signs)
        return tuple(v + NUDGE * (sign - mean) for v, sign in zip(r, signs))

    return tuple(move(r) for r in x) if isinstance(x[0], tuple) else move(x)


def level(total: float, D: int, spread: float = 0.1) -> Row:
    """D numbers, ``spread`` apart, that sum to ``total``."""
    return tuple([total / D + spread * (c - (D - 1) / 2) for c in range(D)])


def slopes(
    component: Component, args: tuple[float, ...], seed: int, T: int, D: int, points: int = 2, graphs: int = 1
) -> tuple[Probe, ...]:
    """Gradients of one component at several points, the graph at the first of them; T = 0 asks for single rows."""
    rng = Random(f"{component} slopes {seed}")
    found = []
    for k in range(points):
        draw = (lambda: rows(rng, T, D)) if T else (lambda: row(rng, D))
        x: Numbers = draw()
        slope = Slope(draw(), draw(), row(rng, CYCLE))
        calls = (Call(x), Call(nudged(x, rng)))
        found.append(Probe(component, args, calls, setting=varied(rng), slope=slope, graph=k < graphs))
    return tuple(found)
