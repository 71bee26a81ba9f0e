"""Asks a loaded hand-in one probe: build, set, call, go backward; the answer is a plain form for JSON."""

from __future__ import annotations

import random
from contextlib import nullcontext
from itertools import cycle
from time import perf_counter
from typing import Any

from composing import composed
from keeping import unlisted
from loading import FILE, Form, HandIn, NotAsAsked, fault_of
from reading import answer_form, flat, graph_form, numbers, shaped
from slopes import gradients
from stand_ins import StandIns

ROWS = ("MultiHeadAttention", "TransformerBlock")
Seen = dict[str, Any]


def answer(hand_in: HandIn, probe: Form) -> Form:
    """The whole answer to one probe; whatever the hand-in raises becomes part of it."""
    form: Form = dict.fromkeys(("fault", "census", "gradients", "graph", "parts"))
    form.update(outcome="answered", answers=[], composed=[])
    at: Seen = {"stage": "construct", "call": None}
    started = perf_counter()
    stand_ins = StandIns(hand_in) if probe["stand_ins"] else None
    try:
        with stand_ins or nullcontext():
            _ask(hand_in, probe, stand_ins, form, at)
    except NotImplementedError as error:
        form.update(outcome="todo", fault=fault_of(error, at["stage"], at["call"]))
    except MemoryError as error:
        form.update(outcome="memory", fault=fault_of(error, at["stage"], at["call"]))
    except BaseException as error:  # a hand-in may raise anything, KeyboardInterrupt included
        form.update(outcome="raised", fault=fault_of(error, at["stage"], at["call"]))
    if stand_ins:
        form["parts"] = stand_ins.form()
    form["seconds"] = perf_counter() - started
    return form


def _ask(hand_in: HandIn, probe: Form, stand_ins: StandIns | None, form: Form, at: Seen) -> None:
    cls = hand_in.names.get(probe["component"])
    if not isinstance(cls, type):
        raise NotImplementedError(f"there is no class {probe['component']} in {FILE}")
    random.seed(probe["seed"])
    module = cls(*probe["args"], **dict(probe["kwargs"]))
    at["stage"] = "parameters"
    parameters = _parameters(module, hand_in.Value)
    initial = numbers([p.data for p in parameters], "a parameter as constructed")
    _set(parameters, probe["setting"])
    if stand_ins:
        stand_ins.set(probe["stand_ins"])
    before = [p.data for p in parameters]
    at["stage"] = "forward"
    for k, call in enumerate(probe["calls"]):
        at["call"] = k
        form["answers"].append(_call(hand_in, probe["component"], module, call))
    at.update(stage="parameters", call=None)
    told = initial if probe["setting"]["how"] == "fresh" else []  # what was set is known
    form["census"] = _census(parameters, told, before, _parameters(module, hand_in.Value))
    if probe["slope"]:
        at.update(stage="backward", call=0)
        call = probe["calls"][0]
        form["gradients"] = gradients(
            probe["slope"], call["x"], parameters, hand_in.Value, lambda x: forward(module, call, x)
        )
    if probe["composed"]:
        form["composed"] = composed(hand_in, module, shaped(probe["calls"][0]["x"], hand_in.Value)) or []
    if probe["graph"]:
        at["stage"] = "graph"
        call = probe["calls"][0]
        x = shaped(call["x"], hand_in.Value)
        form["graph"] = graph_form(flat(x), parameters, flat(forward(module, call, x)), hand_in.quick)
        form["graph"]["unlisted"] = _unlisted(hand_in, probe, module, parameters) if probe["unlisted"] else 0


def _unlisted(hand_in: HandIn, probe: Form, module: Any, parameters: list[Any]) -> int:
    """Asked with one row, where a mask that is kept for its size has one entry a head."""
    call = probe["calls"][0]
    x = call["x"][:1] if probe["component"] in ROWS else call["x"]

    def make() -> Any:
        return hand_in.names[probe["component"]](*probe["args"], **dict(probe["kwargs"]))

    def run(one: Any) -> list[Any]:
        return flat(forward(one, call, shaped(x, hand_in.Value)))

    try:
        return unlisted(module, make, run, parameters, hand_in.quick)
    except BaseException:  # other questions have asked for one row, and will tell
        return 0


def _parameters(module: Any, Value: Any) -> list[Any]:
    parameters = module.parameters()
    if not isinstance(parameters, (list, tuple)):
        raise NotAsAsked(f"parameters() returned a {type(parameters).__name__}, not a list of Values")
    if {*map(type, parameters)} != {Value}:  # the usual case, many thousand times
        for p in parameters:
            if not isinstance(p, Value):
                raise NotAsAsked(f"parameters() holds a {type(p).__name__}, not only Values")
    return list(parameters)


def _set(parameters: list[Any], setting: Form) -> None:
    if setting["how"] == "fresh":
        return
    done: set[int] = set()
    for p, value in zip(parameters, cycle(setting["values"])):
        if id(p) not in done:
            done.add(id(p))
            p.data = value + (p.data if setting["how"] == "add" else 0.0)


def forward(module: Any, call: Form, x: Any) -> Any:
    """Call the component in the documented way that the probe's call names."""
    if call["causal"] is None:
        return module(x)
    return module(x, call["causal"]) if call["positional"] else module(x, causal=call["causal"])


def _call(hand_in: HandIn, component: str, module: Any, call: Form) -> Form:
    x = shaped(call["x"], hand_in.Value)
    values, widths = flat(x), _widths(x)
    form = answer_form(forward(module, call, x), hand_in.Value, component in ROWS)
    form["untouched"] = (
        _widths(x) == widths
        and all(now is then for now, then in zip(flat(x), values))
        and [v.data for v in values] == flat(call["x"])
    )
    return form


def _widths(x: Any) -> list[int]:
    return [len(row) if isinstance(row, list) else 1 for row in x]


def _census(parameters: list[Any], initial: list[float], before: list[Any], after: list[Any]) -> Form:
    return {
        "before": len(parameters),
        "unique": len({id(p) for p in parameters}),
        "after": len(after),
        "same": {id(p) for p in parameters} == {id(p) for p in after},
        "kept": [p.data for p in parameters] == before,
        "initial": initial[:20_000],
    }
