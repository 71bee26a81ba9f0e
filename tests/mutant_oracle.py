"""Whether a changed hand-in is still right, worked out without the grader: its text comes in, a verdict goes out.

Wrong: some question to the changed part gets an answer that no right hand-in gives. Right: no question does, and
through the layout map of the unchanged hand-in every answer equals the exercise in plain floats, for random
parameters; where the change only renames (queries for keys, one head for another) the map is renamed too.
Undecided: neither can be shown.
"""

from __future__ import annotations

import functools
import gc
import itertools
import multiprocessing
import random
import resource
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from types import ModuleType
from typing import Any

from tests.oracle import floats, slopes
from tests.oracle.evidence import CHECKS, against
from tests.oracle.layouts import layouts, numbers, roles_of, values
from tests.oracle.loading import loaded
from tests.oracle.questions import Fault, Part, build, distance, flat, must, noise
from tests.renaming import renamed

SECONDS = 10  # of computing; a whole hand-in takes below one, and many renamings take some
RENAMINGS = 1100  # all that are known, of four heads
SIZES = ((3, 4, 2), (2, 6, 3), (4, 3, 1), (2, 4, 4), (1, 6, 2))
VECTORS = ([1.2, -0.3, 0.8, 0.1, -1.4], [0.001, 0.003, -0.002], [2.5] * 4, [0.7])
CLOSE = 1e-8


@dataclass(frozen=True)
class Verdict:
    """Right, wrong or undecided, and why."""

    verdict: str
    why: str


def verdict(hand_in: str, text: str, component: str | None) -> Verdict:
    """The oracle's ruling on the text of a changed hand-in; a process of its own runs it, because some hang."""
    multiprocessing.current_process().daemon = False  # a pool's process may have no children; this one always joins it
    context = multiprocessing.get_context("fork")
    here, there = context.Pipe(duplex=False)
    child = context.Process(target=_answer, args=(there, hand_in, text, component))
    child.start()
    there.close()
    try:
        return here.recv() if here.poll(20 * SECONDS) else Verdict("wrong", "hang: no answer")
    except EOFError:
        child.join()
        return Verdict("wrong", f"the process ended with {child.exitcode} before it had answered")
    finally:
        child.kill()
        child.join()


def _answer(there: Connection, hand_in: str, text: str, component: str | None) -> None:
    gc.disable()
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 1))
    sys.setrecursionlimit(20_000)  # a pasted backward() recurses
    there.send(rule(hand_in, text, component))


def rule(hand_in: str, text: str, component: str | None) -> Verdict:
    """The same in this process."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{hand_in}.py"
        path.write_bytes(b"\xef\xbb\xbf" + _without_cookie(text).encode("utf-8"))
        try:
            with loaded(path) as module:
                return _ruling(module, hand_in, component)
        except BaseException as error:  # noqa: BLE001 -- loading runs the hand-in, which may raise anything
            return Verdict("wrong", f"it does not load: {error!r}"[:120])


def _without_cookie(text: str) -> str:
    lines = text.split("\n")
    return "\n".join(
        [*(line.replace("coding", "") if line.startswith("#") else line for line in lines[:2]), *lines[2:]]
    )


def _ruling(module: ModuleType, hand_in: str, component: str | None) -> Verdict:
    for name in dict.fromkeys((component or "MultiHeadAttention", *CHECKS)):
        found = against(module, name)
        if found is not None:
            return Verdict("wrong", found.sentence)
    try:
        for name in CHECKS:
            equals_plain_floats(module, hand_in, name)
    except Fault as fault:
        return Verdict("undecided", fault.sentence)
    except Exception as error:  # noqa: BLE001 -- a layout map may not fit what was changed
        return Verdict("undecided", f"the layout map does not fit: {error!r}"[:120])
    return Verdict("right", "equal to the plain floats")


@functools.cache
def _layouts() -> dict[str, Any]:
    return layouts()


def equals_plain_floats(module: ModuleType, hand_in: str, component: str) -> None:
    """Outputs, slopes and parameters are those of the roles in the hand-in's layout map, or of roles renamed."""
    layout = _layouts()[hand_in]
    for arguments, options, x, modes in _questions(component):
        part = build(module, component, *arguments)
        roles = roles_of(layout, component, part.made)
        leaves = values(roles)
        must({id(v) for v in leaves} == {id(v) for v in part.parameters()}, "parameters", f"{part.name}: other weights")
        chance = random.Random(f"{component} {arguments}")
        for leaf in leaves:
            leaf.data = chance.uniform(-0.8, 0.8)
        found = {mode: part.answer(x, *mode) for mode in modes}
        for fitting in itertools.islice(renamed(component, roles), RENAMINGS):
            if all(distance(found[mode], _plain(component, x, fitting, *mode, *options)) <= CLOSE for mode in modes):
                break
        else:
            raise Fault("values", f"{part.name}, random parameters: not the plain floats under any renaming")
        _slopes(part, component, x, fitting, options)


def _questions(component: str) -> Iterator[tuple[tuple[Any, ...], tuple[Any, ...], Any, tuple[tuple[Any, ...], ...]]]:
    """Constructor arguments, those of them that the plain floats need too, an input, and arguments of calls."""
    if component == "LayerNorm":
        for x, eps in itertools.product(VECTORS, ((), (0.5,))):
            yield (len(x), *eps), eps, x, ((),)
    elif component == "FeedForward":
        for D, width in ((4, ()), (1, ()), (3, (7,)), (4, (1,))):
            yield (D, *width), (), noise("vector", D), ((),)
    else:
        modes: tuple[tuple[Any, ...], ...] = ((), (True,), (False,)) if component == "MultiHeadAttention" else ((),)
        for T, D, H in SIZES:
            if H < 3 or component == "MultiHeadAttention":  # a block has six times as many renamings
                yield (D, H), (), noise("rows", T, D), modes


ANSWERS: dict[str, Callable[..., Any]] = {
    "MultiHeadAttention": floats.multi_head_attention,
    "LayerNorm": floats.layer_norm,
    "FeedForward": floats.feed_forward,
    "TransformerBlock": floats.transformer_block,
}


def _plain(component: str, x: Any, roles: Any, *more: Any) -> list[float]:
    return flat(ANSWERS[component](x, numbers(roles), *more), float)


def _slopes(part: Part, component: str, x: Any, roles: Any, options: tuple[Any, ...]) -> None:
    """Gradients equal the change of the plain floats along a random direction over inputs and parameters."""
    entered, _, weights = slopes.backward(part, x)
    leaves = values(roles)
    inputs = len(entered)
    way = slopes.unit("plain floats", inputs + len(leaves))
    told = sum(leaf.grad * step for leaf, step in zip([*entered, *leaves], way))
    numbers_before, losses = [leaf.data for leaf in leaves], []
    for step in (floats.STEP, -floats.STEP):
        for leaf, number, direction in zip(leaves, numbers_before, way[inputs:]):
            leaf.data = number + step * direction
        moved = slopes.moved(x, iter(way), step)
        losses.append(floats.dot(weights, _plain(component, moved, roles, *options)))
    slope = (losses[0] - losses[1]) / (2 * floats.STEP)
    must(abs(told - slope) <= 1e-5 * (1 + abs(slope)), "gradient", f"{part.name}: slope {slope:.6g}, told {told:.6g}")
