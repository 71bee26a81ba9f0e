"""The usual causes: each real mistake, made here with the given code, gets the advice that helps."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

import pytest

from engine import Value
from grader.messages import USUAL_CAUSES, fault_message
from nn import Linear, Module
from tests.observing import HAND_IN, probe, raised

ASKED = probe("MultiHeadAttention", 2, 1)


class Forgetful(Module):
    """Forgot super().__init__()."""

    def __init__(self) -> None:
        self.weight = Value(1.0)


class Other(Module):
    """Has another signature than the one it is called with."""

    def forward(self, x: Any) -> Any:
        return x


def message(kind: str, text: str) -> str:
    """What a student reads of an exception."""
    return fault_message(ASKED, raised(kind, text), HAND_IN)


def advice_on(action: Callable[[], object]) -> str:
    """The usual cause of whatever this raises, in this version of Python."""
    with pytest.raises((TypeError, AttributeError, LookupError, ArithmeticError, ImportError)) as caught:
        action()
    said = message(type(caught.value).__name__, str(caught.value))
    head, _, advice = said.partition(str(caught.value))
    assert head.endswith(f"raised {type(caught.value).__name__}: ")
    return advice.removeprefix(".").strip()


v: Any = Value(2.0)
nothing: Any = None


@pytest.mark.parametrize(
    ("action", "words"),
    [
        (Forgetful, "super().__init__()"),
        (lambda: 1 - v, "-v + 1"),
        (lambda: 1 / v, "v ** -1"),
        (lambda: math.sqrt(v), "v ** 0.5"),
        (lambda: float(v), "keep the graph"),
        (lambda: max(0, v), "v.relu()"),
        (lambda: v > v, "v.relu()"),
        (lambda: v**v, "plain number"),
        (lambda: 2**v, "plain number"),
        (lambda: sum([[v], [v]]), "one row, or all rows?"),
        (lambda: Other()(v, causal=True), "signature"),
        (lambda: Other()(v, v, v), "signature"),
        (lambda: Linear(3), "signature"),  # type: ignore[call-arg]  # the mistake
        (lambda: range(6 / 2), "embed_dim // num_heads"),  # type: ignore[call-overload]  # the mistake
        (lambda: nothing[0], "missing return"),
        (lambda: list(nothing), "missing return"),
        (lambda: v(3), "hides a method"),
        (lambda: v[0], "not what its name says"),
        (lambda: list(range(2))[2], "another T, D or H"),
        (lambda: 1 / 0, "divisor"),
        (lambda: math.exp(1000), "subtract the row's maximum"),
        (lambda: __import__("no_such_module"), "standard library"),
    ],
)
def test_usual_causes_fit_what_python_says(action: Callable[[], object], words: str) -> None:
    """The real exception of a real mistake gets the advice that helps."""
    assert words in advice_on(action)


@pytest.mark.parametrize("action", [operator.add, operator.sub, operator.mul])
def test_a_list_in_place_of_a_value_gets_advice(action: Callable[[Any, Any], object]) -> None:
    """Value wraps its operand, so Python complains of float() and a list; the cause is the list."""
    assert "one row, or all rows?" in advice_on(lambda: action(v, [v]))


def test_abs_of_a_value_is_not_an_exponent() -> None:
    """abs(v) has nothing to do with powers; the advice must not send the student there."""
    assert "exponent" not in advice_on(lambda: abs(v))


def test_an_optional_argument_too_many_gets_advice() -> None:
    """With defaults Python says "takes from 1 to 2 positional arguments"."""
    assert "signature" in advice_on(lambda: Value(1.0, (), "", 4))  # type: ignore[call-arg]  # the mistake


def test_a_method_that_calls_itself_gets_advice() -> None:
    """RecursionError is about the hand-in's own methods."""
    assert "call itself" in message("RecursionError", "maximum recursion depth exceeded")


def test_every_advice_is_a_sentence() -> None:
    """The table holds sentences for people."""
    assert all(len(advice) > 20 and advice[-1] in ".?)" for _, _, advice in USUAL_CAUSES)
