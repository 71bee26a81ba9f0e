"""The readings' file under its default options is the reference: the same numbers, parameters and gradients."""

from __future__ import annotations

import gc
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine import Value
from grader import compare
from grader.readings import EVERY
from grader.records import COMPONENTS, Component, Observation, Probe
from grader.rubric import plan
from grader.sandbox import given_code, observe
from grader.submission import read
from solution import readings, transformer_block

ROOT = Path(__file__).parent.parent
SIZES = [(3, 4, 2), (1, 6, 3), (5, 3, 1), (2, 4, 4)]  # T, D, H

every_size = pytest.mark.parametrize(("T", "D", "H"), SIZES)


@pytest.fixture(autouse=True)
def without_collection() -> Iterator[None]:
    """Values form cycles, and collecting them while computing takes longer than computing."""
    gc.disable()
    yield
    gc.enable()


def noise(chance: random.Random, T: int, D: int) -> list[list[float]]:
    """T rows of D numbers around 0."""
    return [[chance.uniform(-1.5, 1.5) for _ in range(D)] for _ in range(T)]


def copy(source: list[Any], target: list[Any]) -> None:
    """Give one layer's numbers to another layer of the same shape, as flat lists of Values."""
    assert len(source) == len(target)
    for one, other in zip(source, target, strict=True):
        other.data = one.data


def copy_attention(reference: Any, reading: Any) -> None:
    """Row by row: head h of the reading owns rows h * d to (h + 1) * d of the reference's layers."""
    d = reference.head_dim
    for h, head in enumerate(reading.heads):
        for name in ("W_q", "W_k", "W_v"):
            whole, part = getattr(reference, name), getattr(head, name)
            copy([w for row in whole.weight[h * d : (h + 1) * d] for w in row], [w for row in part.weight for w in row])
            copy(whole.bias[h * d : (h + 1) * d], part.bias)
    copy(reference.W_o.parameters(), reading.W_o.parameters())


def ask(part: Any, numbers: list[list[float]], *arguments: bool) -> tuple[list[float], list[float]]:
    """The answer, and the gradient of an unevenly weighted sum of it by x, both flat."""
    x = [[Value(v) for v in row] for row in numbers]
    out = [v for row in part(x, *arguments) for v in row]
    total = sum((v * (0.3 + 0.7 * k) for k, v in enumerate(out)), Value(0.0))
    total.backward()
    return [v.data for v in out], [v.grad for row in x for v in row]


def same(one: tuple[list[float], list[float]], other: tuple[list[float], list[float]]) -> bool:
    """Equal answers and equal gradients."""
    return all(a == pytest.approx(b, rel=1e-9, abs=1e-9) for a, b in zip(one, other, strict=True))


@every_size
@pytest.mark.parametrize("arguments", [(), (True,), (False,)], ids=["default", "causal", "open"])
def test_attention_equals_the_reference(T: int, D: int, H: int, arguments: tuple[bool, ...]) -> None:
    """With the same random weights, called in each way, it gives the same numbers and input gradients."""
    reference, reading = transformer_block.MultiHeadAttention(D, H), readings.MultiHeadAttention(D, H)
    chance = random.Random(T)
    for value in reference.parameters():
        value.data = chance.uniform(-0.8, 0.8)
    copy_attention(reference, reading)
    x = noise(chance, T, D)
    assert same(ask(reading, x, *arguments), ask(reference, x, *arguments))


@every_size
def test_block_equals_the_reference(T: int, D: int, H: int) -> None:
    """With the same random weights the whole block gives the same numbers and input gradients."""
    reference, reading = transformer_block.TransformerBlock(D, H), readings.TransformerBlock(D, H)
    chance = random.Random(D)
    for value in reference.parameters():
        value.data = chance.uniform(-0.8, 0.8)
    copy_attention(reference.attention, reading.attention)
    for name in ("ln1", "ln2", "ffn"):
        copy(getattr(reference, name).parameters(), getattr(reading, name).parameters())
    x = noise(chance, T, D)
    assert same(ask(reading, x), ask(reference, x))


def facts(seen: Observation) -> tuple[Any, ...]:
    """What must be equal in two answers to one probe whatever the order of the parameters."""
    fault = (seen.fault.stage, seen.fault.type) if seen.fault else None
    counts = (seen.census.before, seen.census.unique, seen.census.after) if seen.census else None
    return seen.outcome, fault, counts, seen.parts, [answer.said for answer in seen.answers]


def layout_free(probe: Probe) -> bool:
    """Whether the answer's numbers depend on what the parameters are, not on their order."""
    return probe.component != "MultiHeadAttention" or len(set(probe.setting.values)) == 1


@pytest.mark.parametrize("component", COMPONENTS)
def test_every_probe_is_answered_as_by_the_reference(component: Component) -> None:
    """Through the grader's own door both files give the same facts, and the same numbers where order is no matter."""
    asked = tuple({p: None for probes in plan(0).values() for p in probes if p.component == component})
    reading = EVERY[component][0]
    given = given_code(ROOT / "exercise")
    expected = observe(read(ROOT / "solution" / "transformer_block.py"), asked, given).observations
    seen = observe(read(ROOT / "solution" / "readings.py"), tuple(map(reading.asked, asked)), given).observations
    for probe in asked:
        one, other = seen[reading.asked(probe)], expected[probe]
        assert facts(one) == facts(other)
        if layout_free(probe):
            pairs = [(a.numbers, b.numbers) for a, b in zip(one.answers, other.answers, strict=True)]
            assert all(a == b or (a and b and compare.same(a, b)) for a, b in pairs)
