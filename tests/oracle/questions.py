"""Questions to a hand-in: a component and numbers come in, its answer in plain numbers goes out, or a Fault."""

from __future__ import annotations

import functools
import itertools
import math
import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from tests.oracle.loading import given

TINY = 1e-9  # rounding in sums of a few hundred products stays below 1e-12


class Fault(Exception):
    """Something no right hand-in does: of one kind, said in one sentence with a number in it."""

    def __init__(self, kind: str, sentence: str) -> None:
        super().__init__(sentence)
        self.kind = kind
        self.sentence = sentence


def must(claim: bool, kind: str, sentence: str) -> None:
    """Raise the fault unless the claim holds."""
    if not claim:
        raise Fault(kind, sentence)


def ask(what: str, call: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
    """Run the hand-in's code; whatever it raises is a fault of the hand-in, even SystemExit."""
    try:
        return call(*arguments, **options)
    except BaseException as error:
        told = str(error).splitlines()[:1]
        raise Fault("raises", f"{what} raised {type(error).__name__}: {''.join(told)[:80]}") from error


@dataclass(frozen=True)
class Part:
    """One constructed component of a hand-in, and how it was constructed."""

    module: ModuleType
    made: Any
    name: str

    @functools.cached_property
    def value(self) -> Any:
        """The Value class of the hand-in."""
        return given(self.module, "Value")

    def parameters(self) -> list[Any]:
        """Everything that is learned, each of it once."""
        listed: list[Any] = ask(f"{self.name}.parameters()", lambda: list(self.made.parameters()))
        strange = [leaf for leaf in listed if not isinstance(leaf, self.value)]
        must(not strange, "parameters", f"{self.name}.parameters() holds {len(strange)} things that are no Values")
        twice = len(listed) - len({id(leaf) for leaf in listed})
        must(not twice, "parameters", f"{self.name}.parameters() lists {twice} of {len(listed)} Values again")
        return listed

    def fill(self, numbers: Iterable[float]) -> None:
        """Give every parameter the next of endless numbers."""
        for leaf, number in zip(self.parameters(), numbers):
            leaf.data = number

    def lift(self, x: Any) -> Any:
        """The same nested lists, of the hand-in's Values."""
        return [self.lift(row) for row in x] if isinstance(x, list) else self.value(x)

    def respond(self, inputs: Any, *arguments: Any, **options: Any) -> Any:
        """The output Values; what came in must be as before, what goes out as large as what came in."""
        before, given_rows = flat(inputs, seen), copied(inputs)
        call = f"{self.name}({shape(inputs)}{''.join(f', {a}' for a in (*arguments, *options.items()))})"
        outputs = ask(call, self.made, inputs, *arguments, **options)
        must(flat(inputs, seen) == before, "input", f"{call} changed the rows it was given")
        self._same_shape(call, given_rows, outputs)
        return outputs

    def answer(self, x: Any, *arguments: Any, **options: Any) -> list[float]:
        """The output numbers for input numbers, flat."""
        return flat(self.respond(self.lift(x), *arguments, **options), lambda leaf: float(leaf.data))

    def _same_shape(self, call: str, inputs: Any, outputs: Any) -> None:
        """Lists or tuples where lists came in, Values where Values came in, as many as came in."""
        if not isinstance(inputs, list):
            right = isinstance(outputs, self.value)
            must(right, "type", f"{call} returns {type(outputs).__name__} where a Value belongs")
            return
        right = isinstance(outputs, (list, tuple))
        must(right, "type", f"{call} returns {type(outputs).__name__} where a list belongs")
        must(len(outputs) == len(inputs), "shape", f"{call} returns {len(outputs)} entries instead of {len(inputs)}")
        for row, result in zip(inputs, outputs, strict=True):
            self._same_shape(call, row, result)


def build(module: ModuleType, component: str, *arguments: Any, **options: Any) -> Part:
    """A component of the hand-in; one that is missing or cannot be constructed is a fault."""
    told = ", ".join([*map(str, arguments), *(f"{name}={value}" for name, value in options.items())])
    made = ask(f"{component}({told})", lambda: getattr(module, component)(*arguments, **options))
    return Part(module, made, f"{component}({told})")


def seen(leaf: Any) -> tuple[int, Any]:
    """What tells whether an input is still the same Value with the same number."""
    return id(leaf), getattr(leaf, "data", None)


def copied(x: Any) -> Any:
    """Other lists of the same Values, safe from a hand-in that changes its input."""
    return [copied(row) for row in x] if isinstance(x, list) else x


def flat(x: Any, read: Callable[[Any], Any]) -> list[Any]:
    """What read sees at the leaves of nested lists or tuples, in reading order."""
    return [leaf for row in x for leaf in flat(row, read)] if isinstance(x, (list, tuple)) else [read(x)]


def shape(x: Any) -> str:
    """The lengths of nested lists, as in 3x8."""
    lengths = []
    while isinstance(x, list):
        lengths.append(str(len(x)))
        x = x[0]
    return "x".join(lengths)


def distance(found: list[float], expected: list[float]) -> float:
    """The largest difference, relative where numbers are large; infinite where one is no number."""
    gaps = [abs(a - b) / (1 + abs(b)) for a, b in zip(found, expected, strict=True)]
    return math.inf if any(math.isnan(gap) for gap in gaps) else max(gaps)


def noise(seed: str, *lengths: int, width: float = 1.5) -> Any:
    """Fixed numbers between -width and width in nested lists of these lengths."""
    return _drawn(random.Random(seed), lengths, width)


def _drawn(chance: random.Random, lengths: tuple[int, ...], width: float) -> Any:
    """The next numbers of this chance, nested."""
    if not lengths:
        return chance.uniform(-width, width)
    return [_drawn(chance, lengths[1:], width) for _ in range(lengths[0])]


def refill(part: Part, seed: str, width: float = 0.7) -> None:
    """Give every parameter its own fixed random number."""
    chance = random.Random(seed)
    part.fill(chance.uniform(-width, width) for _ in itertools.count())
