"""Every right hand-in equals the exercise in plain floats, number for number, through its layout map."""

from __future__ import annotations

import gc
import itertools
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.oracle import floats
from tests.oracle.layouts import layouts, numbers, roles_of, values
from tests.oracle.loading import RIGHT, given, loaded

Size = tuple[int, int, int]

LAYOUTS = layouts()
SIZES: list[Size] = [(3, 4, 2), (2, 6, 3), (5, 3, 1), (2, 4, 4), (1, 6, 2)]
VECTORS = ([1.2, -0.3, 0.8, 0.1, -1.4], [0.001, 0.003, -0.002], [2.5] * 4, [0.7])
EPSILONS: tuple[tuple[float, ...], ...] = ((), (1e-5,), (0.5,))
ANSWERS: dict[str, Callable[..., Any]] = {
    "MultiHeadAttention": floats.multi_head_attention,
    "LayerNorm": floats.layer_norm,
    "FeedForward": floats.feed_forward,
    "TransformerBlock": floats.transformer_block,
}

every_right = pytest.mark.parametrize("path", RIGHT, ids=lambda path: path.stem)
every_component = pytest.mark.parametrize("component", list(ANSWERS))


@pytest.fixture(autouse=True)
def without_collection() -> Iterator[None]:
    """Values form cycles, and collecting them while computing takes longer than computing."""
    gc.disable()
    yield
    gc.enable()


def noise(chance: random.Random, *shape: int) -> Any:
    """Numbers around 0 in nested lists of this shape."""
    if not shape:
        return chance.uniform(-1.5, 1.5)
    return [noise(chance, *shape[1:]) for _ in range(shape[0])]


def lift(value: Callable[[float], Any], x: Any) -> Any:
    """The same nested lists, of Values."""
    return [lift(value, row) for row in x] if isinstance(x, list) else value(x)


def flat(x: Any) -> list[Any]:
    """The leaves of nested lists or tuples in reading order."""
    return [leaf for row in x for leaf in flat(row)] if isinstance(x, (list, tuple)) else [x]


def build(path: Path, module: ModuleType, component: str, *arguments: float) -> tuple[Any, Any]:
    """A component with random parameters, and its roles."""
    part = getattr(module, component)(*arguments)
    roles = roles_of(LAYOUTS[path.stem], component, part)
    chance = random.Random(f"parameters of {path.stem}")
    for value in values(roles):
        value.data = chance.uniform(-0.8, 0.8)
    return part, roles


def subject(path: Path, module: ModuleType, component: str, size: Size = (2, 4, 2)) -> tuple[Any, Any, Any]:
    """A component with random parameters, its roles and an input that fits it."""
    T, D, H = size
    chance = random.Random(f"input of {path.stem}")
    if component in ("LayerNorm", "FeedForward"):
        return (*build(path, module, component, D), noise(chance, D))
    return (*build(path, module, component, D, H), noise(chance, T, D))


def near(want: list[float]) -> Any:
    """What compares equal to these numbers but for rounding."""
    return pytest.approx(want, rel=1e-9, abs=1e-9)


def expected(component: str, roles: Any, x: Any) -> list[float]:
    """The answer of the plain-float exercise under the parameters as they stand, flat."""
    return flat(ANSWERS[component](x, numbers(roles)))


def answer(module: ModuleType, part: Any, x: Any, *arguments: Any) -> list[float]:
    """The hand-in's own answer on fresh Values, flat."""
    return [value.data for value in flat(part(lift(given(module, "Value"), x), *arguments))]


@every_right
def test_attention_and_block_equal_the_plain_floats(path: Path) -> None:
    """Attention (default, causal and not) and the block give the numbers of the exercise at every size."""
    with loaded(path) as module:
        for size in SIZES:
            part, roles, x = subject(path, module, "MultiHeadAttention", size)
            for arguments in ((), (True,), (False,)):
                want = flat(floats.multi_head_attention(x, numbers(roles), *arguments))
                assert answer(module, part, x, *arguments) == near(want), (size, arguments)
            part, roles, x = subject(path, module, "TransformerBlock", size)
            assert answer(module, part, x) == near(expected("TransformerBlock", roles, x)), size


@every_right
def test_feed_forward_equals_the_plain_floats(path: Path) -> None:
    """The feed-forward layers are 4 D wide or as wide as asked, with a ReLU between them."""
    with loaded(path) as module:
        for D, width in ((4, None), (1, None), (3, 7), (4, 1)):
            arguments = (D,) if width is None else (D, width)
            part, roles = build(path, module, "FeedForward", *arguments)
            assert len(roles["first"][0]) == (4 * D if width is None else width)
            x = noise(random.Random(3), D)
            assert answer(module, part, x) == near(expected("FeedForward", roles, x)), arguments


@every_right
def test_layer_norm_equals_the_plain_floats(path: Path) -> None:
    """Ordinary, small, constant and single-channel vectors are normalised with the eps that was given."""
    with loaded(path) as module:
        for x, eps in itertools.product(VECTORS, EPSILONS):
            fresh = module.LayerNorm(len(x), *eps)
            plain = {"scale": [1.0] * len(x), "shift": [0.0] * len(x)}
            assert answer(module, fresh, x) == near(floats.layer_norm(x, plain, *eps)), (x, eps)
            part, roles = build(path, module, "LayerNorm", len(x), *eps)
            assert answer(module, part, x) == near(floats.layer_norm(x, numbers(roles), *eps)), (x, eps)


@every_right
@every_component
def test_gradients_equal_differences_of_the_plain_floats(path: Path, component: str) -> None:
    """The hand-in's backward pass gives every input and parameter the slope of the plain-float function."""
    with loaded(path) as module:
        part, roles, x = subject(path, module, component, (3 if component == "MultiHeadAttention" else 2, 4, 2))
        inputs = lift(given(module, "Value"), x)
        outputs = flat(part(inputs))
        chance = random.Random(f"loss of {path.stem}")
        weights = [chance.uniform(0.5, 1.5) * chance.choice((-1, 1)) for _ in outputs]
        sum(out * weight for out, weight in zip(outputs, weights)).backward()
        leaves = flat(inputs) + values(roles)

        def loss(point: list[float]) -> float:
            for leaf, number in zip(leaves, point):
                leaf.data = number
            return floats.dot(weights, expected(component, roles, numbers(inputs)))

        slopes = floats.central_differences(loss, [leaf.data for leaf in leaves])
        assert [leaf.grad for leaf in leaves] == pytest.approx(slopes, rel=1e-6, abs=1e-7)


@every_right
@every_component
def test_parameters_are_the_values_of_the_layout(path: Path, component: str) -> None:
    """parameters() lists each Value that takes part once, and the same ones after a forward pass."""
    with loaded(path) as module:
        part, roles, x = subject(path, module, component)
        before = [id(value) for value in part.parameters()]
        answer(module, part, x)
        assert len(set(before)) == len(before)
        assert set(before) == {id(value) for value in values(roles)}
        assert [id(value) for value in part.parameters()] == before


@every_right
@every_component
def test_a_call_leaves_no_trace(path: Path, component: str) -> None:
    """The rows that came in are the same objects with the same numbers, and a second call agrees."""
    with loaded(path) as module:
        part, _, x = subject(path, module, component)
        inputs = lift(given(module, "Value"), x)
        rows, leaves = [list(row) if isinstance(row, list) else row for row in inputs], flat(inputs)
        first = [value.data for value in flat(part(inputs))]
        assert [value.data for value in flat(part(inputs))] == first
        assert inputs == rows and all(a is b for a, b in zip(flat(inputs), leaves))
        assert numbers(inputs) == x


@every_right
@pytest.mark.parametrize("component", ["MultiHeadAttention", "TransformerBlock"])
def test_an_indivisible_width_is_refused(path: Path, component: str) -> None:
    """Construction fails with AssertionError when the heads do not share the width evenly."""
    with loaded(path) as module:
        for D, H in ((6, 4), (3, 2), (4, 8)):
            with pytest.raises(AssertionError):
                getattr(module, component)(D, H)
