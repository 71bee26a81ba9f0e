"""What can be looked at: who moved whom, what each head attends to, slopes, and what a norm leaves behind. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import isfinite, sqrt
from typing import cast

from grader.attention_map import Head, heads
from grader.checks.ask_attention import attention_causal, attention_graph, attention_slopes
from grader.checks.ask_block import block_causal, block_slopes
from grader.checks.ask_rows import feedforward_slopes, norm_fresh, norm_slopes
from grader.checks.evidence import Evidence, built
from grader.checks.operations import unfolded
from grader.compare import close, flat, shape, slope_along, slopes_agree, slopes_measured
from grader.records import Component, Gradients, Observation, Picture, Probe, Row, Rows, Slope

UNMOVED, MOVED = 1e-12, 1e-9  # as in checks.causality
LIMIT = 1e300


def pictures(seed: int, evidence: Evidence) -> tuple[Picture, ...]:
    """All that the evidence on one submission lets us draw, in the order of the components."""
    asked: tuple[tuple[Callable[[Evidence, Sequence[Probe]], Iterator[Picture]], tuple[Probe, ...]], ...] = (
        (_moves, attention_causal(seed)[:1]),
        (_attention, attention_graph(seed)),
        (_slopes, attention_slopes(seed)),
        (_statistics, norm_fresh(seed)[:1]),
        (_slopes, norm_slopes(seed)),
        (_slopes, feedforward_slopes(seed)),
        (_moves, block_causal(seed)),
        (_slopes, block_slopes(seed)),
    )
    return tuple(picture for draw, probes in asked for picture in draw(evidence, probes))


def _seen(evidence: Evidence, probe: Probe) -> Observation | None:
    """The observation, if every call was answered with finite numbers of the input's shape."""
    seen = evidence.observed.get(probe)
    if seen is None or seen.outcome != "answered" or len(seen.answers) != len(probe.calls):
        return None
    fits = [a.numbers is not None and shape(a.numbers) == shape(c.x) for a, c in zip(seen.answers, probe.calls)]
    return seen if all(fits) else None


def _moves(evidence: Evidence, probes: Sequence[Probe]) -> Iterator[Picture]:
    """How far each output row moved when one input row was replaced: call k changes row k - 1."""
    probe = probes[0]
    seen = _seen(evidence, probe)
    if seen is None:
        return
    outs = [cast(Rows, answer.numbers) for answer in seen.answers]
    T = len(outs[0])
    rows = tuple(tuple(_distance(outs[0][i], outs[j + 1][i]) for j in range(T)) for i in range(T))
    wrong = [
        (i, j)
        for i in range(T)
        for j in range(T)
        if (rows[i][j] > UNMOVED * _size(outs[0][i]) if j > i else rows[i][j] <= MOVED)
    ]
    yield Picture(
        "heat",
        probe.component,
        "Who moved whom",
        "How far each output row moved when one input row was replaced. Causal means: nothing above the diagonal, "
        "something everywhere else.",
        rows,
        tuple(f"output row {i}" for i in range(T)),
        tuple(f"input row {j}" for j in range(T)),
        wrong=tuple(wrong),
    )


def _distance(one: Row, other: Row) -> float:
    return min(LIMIT, max((abs(a - b) for a, b in zip(one, other)), default=0.0))


def _size(row: Row) -> float:
    return max(1.0, *(abs(v) for v in row))


def _attention(evidence: Evidence, probes: Sequence[Probe]) -> Iterator[Picture]:
    """One heat map per head of the recorded computation, beside the softmax over its own queries and keys."""
    probe = probes[0]
    seen = evidence.observed.get(probe)
    if seen is None or seen.graph is None or seen.outcome != "answered":
        return
    T, (D, H) = len(probe.calls[0].x), (int(a) for a in probe.args)
    found = heads(unfolded(seen.graph), T, D // H)
    for k, head in enumerate(found if len(found) == H else ()):
        yield _head(probe, head, k, T)


def _head(probe: Probe, head: Head, k: int, T: int) -> Picture:
    told = "Each row is how one token shares its attention: it sums to 1, and nothing is above the diagonal. "
    beside = "Beside it: the softmax of q · k / sqrt(head_dim), from this head's own q and k." if head.expected else ""
    wrong = [
        (i, j)
        for i, row in enumerate(head.expected)
        for j, v in enumerate(row)
        if not close(v, head.weights[i][j], 1e-6)
    ]
    return Picture(
        "heat",
        probe.component,
        f"Attention weights, head {k}",
        told + beside,
        head.weights,
        tuple(f"token {i}" for i in range(T)),
        tuple(f"attends to {j}" for j in range(T)),
        head.expected,
        tuple(wrong),
    )


def _slopes(evidence: Evidence, probes: Sequence[Probe]) -> Iterator[Picture]:
    """What backward() says and what the outputs do, along fixed directions."""
    rows: list[Row] = []
    labels, wrong = [], []
    for k, probe in enumerate(probes):
        seen = evidence.observed.get(probe)
        if seen is None or seen.gradients is None or probe.slope is None:
            continue
        for what, claimed, sides, gradient in _sides(probe.slope, seen.gradients):
            measured, again = slopes_measured(sides, probe.slope.step)
            agree = slopes_agree(claimed, measured, gradient)
            if not (isfinite(claimed) and isfinite(measured)) or (
                not agree and not slopes_agree(measured, again, gradient)
            ):
                continue  # a kink within the step: nothing can be said here
            wrong += [] if agree else [(len(rows), 0)]
            rows.append((claimed, measured))
            labels.append(f"{what}, point {k + 1}")
    if rows:
        caption = (
            "How fast the weighted output rises along a fixed direction: what the gradient says, beside what a small "
            "step either way measures. The two bars of a pair are equally long when the gradient is right."
        )
        columns = ("backward()", "measured")
        component: Component = probes[0].component
        yield Picture("pairs", component, "Slopes", caption, tuple(rows), tuple(labels), columns, wrong=tuple(wrong))


def _sides(slope: Slope, seen: Gradients) -> Iterator[tuple[str, float, tuple[float, float, float, float], Row]]:
    gradient = flat(seen.inputs)
    yield "inputs", slope_along(gradient, flat(slope.inputs)), seen.along_inputs, gradient
    yield "weights", slope_along(seen.parameters, slope.parameters), seen.along_parameters, seen.parameters


def _statistics(evidence: Evidence, probes: Sequence[Probe]) -> Iterator[Picture]:
    """Mean and spread of what a fresh LayerNorm returns, for an ordinary row, a large one and one far from zero."""
    probe = probes[0]
    seen = _seen(evidence, probe)
    if seen is None:
        return
    rows: list[Row] = []
    labels, wrong = [], []
    for name, call, answer in zip(("ordinary row", "large row", "row around 1000"), probe.calls, seen.answers):
        x, out = flat(call.x), flat(answer.numbers or ())
        _, before = _mean_and_spread(x)
        want = before / sqrt(before**2 + 1e-5)
        for what, got, exact in zip(("mean", "spread"), _mean_and_spread(out), (0.0, want)):
            wrong += [] if close(got, exact, 1e-6) else [(len(rows), 0)]
            rows.append((max(-LIMIT, min(LIMIT, got)), exact))
            labels.append(f"{what}, {name}")
    caption = f"{built(probe)} as constructed: mean and standard deviation of what it returns, and what they should be."
    yield Picture(
        "pairs", "LayerNorm", "What is left of a row", caption, tuple(rows), tuple(labels), ("yours", "expected"),
        wrong=tuple(wrong),
    )  # fmt: skip


def _mean_and_spread(row: Row) -> tuple[float, float]:
    mean = sum(row) / len(row)
    largest = max(abs(v - mean) for v in row)
    if not 0.0 < largest < LIMIT:
        return mean, largest
    return mean, largest * sqrt(sum(((v - mean) / largest) ** 2 for v in row) / len(row))
