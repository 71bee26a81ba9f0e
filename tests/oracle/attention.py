"""Evidence against a MultiHeadAttention: a hand-in's module comes in, a Fault comes out if there is one."""

from __future__ import annotations

import itertools
from types import ModuleType

from tests.oracle import contract, slopes
from tests.oracle.floats import Row, Rows, multi_head_attention
from tests.oracle.questions import TINY, Part, build, distance, flat, must, noise, refill
from tests.oracle.readings import READINGS, Reading

NAME = "MultiHeadAttention"
WIDTHS = ((8, 2, (3,)), (4, 4, (2, 7)), (3, 1, (4,)), (6, 3, (2,)), (4, 2, (4, 1, 6)), (2, 1, (18,)))
CALLS: tuple[tuple[float, float, tuple[bool, ...]], ...] = ((0.3, 1.0, ()), (-0.25, -1.0, ()), (0.3, 1.0, (False,)))


def divisible(module: ModuleType) -> None:
    """The number of heads is validated."""
    contract.divisible(module, NAME)


def registered(module: ModuleType) -> None:
    """The parameters are in order, and as many as one accepted reading has at every width."""
    readings = READINGS
    for D, H, _ in WIDTHS:
        count = len(contract.registered(module, NAME, (D, H), noise("rows", 1, D)))
        readings = [reading for reading in readings if reading.count(D, H) == count]
        must(bool(readings), "parameters", f"{NAME}({D}, {H}) has {count} parameters, which no accepted reading has")


def repeatable(module: ModuleType) -> None:
    """Two equal calls agree, with and without the mask."""
    for causal in (True, False):
        contract.repeatable(build(module, NAME, 4, 2), noise("rows", 4, 4), causal)


def documented(module: ModuleType) -> None:
    """The flag can be given by name or by place, the call can be written out, and the mask is the default."""
    part = build(module, NAME, 4, 2)
    x = noise("rows", 3, 4)
    for causal in (True, False):
        by_name, by_place = part.answer(x, causal=causal), part.answer(x, causal)
        gap = distance(by_name, by_place)
        must(gap <= TINY, "contract", f"{part.name}: causal={causal} by name and by place differ by {gap:.3g}")
    written = Part(module, part.made.forward, f"{part.name}.forward")
    for told, other in (("forward(x)", written.answer(x)), ("the default", part.answer(x))):
        gap = distance(other, part.answer(x, True))
        must(gap <= TINY, "contract", f"{part.name}: {told} is {gap:.3g} off causal=True")


def unstuck(module: ModuleType) -> None:
    """What causal=False gives does not depend on which flag came first."""
    x = noise("rows", 4, 4)
    parts = [build(module, NAME, 4, 2) for _ in range(2)]
    for part in parts:
        refill(part, "flags", 0.6)
    parts[1].answer(x)
    gap = distance(parts[1].answer(x, False), parts[0].answer(x, False))
    must(gap <= TINY, "repeat", f"{NAME}(4, 2): causal=False is {gap:.3g} off after a causal call of the same length")


def causality(module: ModuleType) -> None:
    """Every row moves the rows that may see it, itself included, and no other."""
    for D, H, T in ((4, 2, 4), (3, 1, 3)):
        part = build(module, NAME, D, H)
        refill(part, "causality", 0.6)
        influence(part, noise("rows", T, D), True)
        influence(part, noise("rows", T, D), False, False)


def influence(part: Part, x: Rows, causal: bool, *arguments: bool) -> None:
    """Replace one row after the other and look who moves."""
    before, D = part.answer(x, *arguments), len(x[0])
    for j in range(len(x)):
        changed = [noise("other row", D, width=2.0) if i == j else row for i, row in enumerate(x)]
        after = part.answer(changed, *arguments)
        for i in range(len(x)):
            gap = distance(after[i * D : i * D + D], before[i * D : i * D + D])
            mode = f"{part.name} causal={causal}, T={len(x)}: "
            if causal and j > i:
                must(gap == 0, "causality", f"{mode}row {i} moves by {gap:.3g} when row {j} changes")
            else:
                must(gap > TINY, "causality", f"{mode}row {i} stays (moves by {gap:.3g}) when row {j} changes")


def loud_future(module: ModuleType) -> None:
    """Nothing leaks when a later row scores 70 more than the row itself."""
    part = build(module, NAME, 4, 2)
    part.fill(itertools.repeat(1.0))
    for rows in ([[1.6] * 4, [3.2] * 4], [[-1.6] * 4, [-3.2] * 4]):
        early = part.answer(rows)[:4]
        gap = distance(part.answer([rows[0], [-v for v in rows[1]]])[:4], early)
        must(gap <= TINY, "causality", f"{part.name}: a loud row 1 moves row 0 by {gap:.3g}")


def alone(module: ModuleType) -> None:
    """A row alone gets weight 1, however low it scores: attention of one row is affine, and the same for copies."""
    part = build(module, NAME, 4, 2)
    refill(part, "alone", 1.5)
    for turn in range(4):
        row = noise(f"lone row {turn}", 4, width=6.0)
        found, mirrored = part.answer([row]), part.answer([[-v for v in row]])
        middle = part.answer([[0.0] * 4])
        gap = distance([(a + b) / 2 for a, b in zip(found, mirrored, strict=True)], middle)
        must(gap <= TINY, "values", f"{part.name}, T=1: the mean of f(x) and f(-x) is {gap:.3g} off f(0)")
        gap = distance(part.answer([row] * 2), found * 2)
        must(gap <= TINY, "values", f"{part.name}: two equal rows get answers {gap:.3g} off one row's")


def equal_parameters(module: ModuleType) -> None:
    """With all parameters equal, one accepted reading explains every answer at every size."""
    parts = {(D, H): build(module, NAME, D, H) for D, H, _ in WIDTHS}
    counts = {size: len(part.parameters()) for size, part in parts.items()}
    readings = [reading for reading in READINGS if all(reading.count(*size) == counts[size] for size in counts)]
    for D, H, lengths in WIDTHS:
        part = parts[D, H]
        for T in lengths:
            for c, sign, arguments in CALLS:
                part.fill(itertools.repeat(c))
                x = [[sign * v for v in row] for row in noise(f"rows {T}", T, D)]
                readings = explaining(readings, part, x, H, c, arguments)


def explaining(
    readings: list[Reading], part: Part, x: Rows, H: int, c: float, arguments: tuple[bool, ...]
) -> list[Reading]:
    """The readings that give the answer of this call, at least one."""
    found = part.answer(x, *arguments)
    answers = {reading: closed_form(reading, x, H, c, arguments) for reading in readings}
    gaps = {reading: distance(found, answer) for reading, answer in answers.items()}
    told = f"{part.name} T={len(x)} causal={arguments or 'default'}, all parameters {c}"
    least = min(gaps.values(), default=0.0)
    must(least <= TINY, "values", f"{told}: output is {least:.3g} off the nearest accepted reading")
    return [reading for reading in readings if gaps[reading] <= TINY]


def closed_form(reading: Reading, x: Rows, H: int, c: float, arguments: tuple[bool, ...]) -> Row:
    """The answer of a reading whose parameters are all c, flat."""
    rows = multi_head_attention(x, reading.roles(len(x[0]), H, c), *arguments)
    return flat(rows, lambda leaf: leaf)


def gradients(module: ModuleType) -> None:
    """Gradients are slopes, and all but the key biases reach their parameter."""
    for D, H, T in ((4, 2, 3), (3, 1, 2)):
        slopes.agree(build(module, NAME, D, H), noise("rows", T, D))
        slopes.reach(build(module, NAME, D, H), [noise(f"rows {i}", T, D) for i in range(3)], D)
    slopes.apart(build(module, NAME, 4, 2), [noise(f"rows {i}", 3, 4) for i in range(3)], 4)


def varied(module: ModuleType) -> None:
    """The heads do not start as copies, nor all weights at one number."""
    contract.varied(build(module, NAME, 8, 2))


CHECKS = (
    divisible,
    registered,
    documented,
    repeatable,
    unstuck,
    causality,
    loud_future,
    alone,
    equal_parameters,
    gradients,
    varied,
)
