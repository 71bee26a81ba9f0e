"""What holds for every component: a part comes in, a Fault comes out if its parameters or calls misbehave."""

from __future__ import annotations

from collections import Counter
from types import ModuleType
from typing import Any

from tests.oracle.questions import TINY, Part, ask, build, distance, flat, must, refill


def registered(module: ModuleType, component: str, arguments: tuple[Any, ...], x: Any) -> list[Any]:
    """The parameters: the same objects after a call, and another part has none of them."""
    part = build(module, component, *arguments)
    before = part.parameters()
    part.answer(x)
    after = part.parameters()
    same = [id(leaf) for leaf in before] == [id(leaf) for leaf in after]
    must(
        same, "parameters", f"{part.name} has {len(before)} parameters before its first call, {len(after)} others after"
    )
    other = build(module, component, *arguments).parameters()
    shared = len({id(leaf) for leaf in before} & {id(leaf) for leaf in other})
    must(not shared, "parameters", f"two {part.name} share {shared} of {len(before)} parameters")
    return before


def listed(module: ModuleType, component: str, arguments: tuple[Any, ...], inputs: list[Any]) -> None:
    """Values that two calls share are parameters, or constants that another part shares too, or few."""
    part, other = build(module, component, *arguments), build(module, component, *arguments)
    calls = [sources(one.respond(one.lift(x))) for one in (part, other) for x in inputs]
    kept = calls[0].keys() & calls[1].keys() - calls[2].keys() - {id(leaf) for leaf in part.parameters()}
    must(len(kept) < arguments[0], "parameters", f"{part.name} keeps {len(kept)} Values that it does not list")


def sources(outputs: Any) -> dict[int, Any]:
    """The Values without children below these outputs, held by their identity."""
    waiting, known, found = flat(outputs, lambda leaf: leaf), dict[int, Any](), dict[int, Any]()
    while waiting:
        node = waiting.pop()
        if id(node) not in known:
            known[id(node)] = node
            waiting += node._prev
            if not node._prev:
                found[id(node)] = node
    return found


def repeatable(part: Part, x: Any, *arguments: Any) -> None:
    """Two equal calls under equal parameters agree."""
    refill(part, "repeat")
    first, second = part.answer(x, *arguments), part.answer(x, *arguments)
    gap = distance(second, first)
    must(gap <= TINY, "repeat", f"two equal calls of {part.name} differ by {gap:.3g}")


def varied(part: Part) -> None:
    """Weights start unequal: neither all at a few numbers, nor as copies of each other."""
    numbers = Counter(leaf.data for leaf in part.parameters())
    total = sum(numbers.values())
    must(len(numbers) > 4, "start", f"the {total} parameters of {part.name} start at {len(numbers)} numbers")
    copies = [number for number, times in numbers.items() if times > 1 and number != 0]
    must(len(copies) <= 3, "start", f"{part.name} starts with {len(copies)} numbers that occur more than once")


def divisible(module: ModuleType, component: str) -> None:
    """Construction refuses an indivisible width with AssertionError, and nothing else."""
    for D, H in ((6, 4), (3, 2), (9, 6), (4, 8)):
        try:
            getattr(module, component)(D, H)
        except AssertionError:
            continue
        except Exception as error:  # noqa: BLE001 -- a hand-in may raise anything
            must(False, "contract", f"{component}({D}, {H}) raised {type(error).__name__} instead of AssertionError")
        must(False, "contract", f"{component}({D}, {H}) is accepted though {D} % {H} = {D % H}")
    for D, H in ((6, 1), (6, 6), (8, 4)):
        ask(f"{component}({D}, {H})", getattr(module, component), D, H)
