"""Other names for the same function: roles of a component come in, roles under which the plain floats may agree go out.

Nothing in the exercise says which weights make queries, which head is first, or in which order a projection counts
its channels. A change that only shuffles these leaves a hand-in right, though its layout map no longer fits.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any


def renamed(component: str, roles: Any) -> Iterator[Any]:
    """The roles as they are, then with queries, keys and values, heads, norms or channels renamed."""
    if component == "TransformerBlock":
        for attention in _attention(roles["attention"]):
            for feedforward in _feedforward(roles["feedforward"]):
                block = {**roles, "attention": attention, "feedforward": feedforward}
                yield block
                yield {**block, "norm1": roles["norm2"], "norm2": roles["norm1"]}
    elif component == "MultiHeadAttention":
        yield from _attention(roles)
    elif component == "FeedForward":
        yield from _feedforward(roles)
    else:
        yield roles
        for step in (1, -1):
            yield {**roles, "scale": _turned(roles["scale"], step)}
            yield {**roles, "shift": _turned(roles["shift"], step)}


def _feedforward(roles: Any) -> Iterator[Any]:
    yield roles
    for step in (1, -1):
        yield {name: _inputs_turned(layer, step) for name, layer in roles.items()}


def _attention(roles: Any) -> Iterator[Any]:
    """Channels first: a change that shuffles them seldom exchanges heads too."""
    for names, heads in itertools.product(itertools.permutations("qkv"), itertools.permutations(roles["heads"])):
        named = [{**head, **{new: head[old] for new, old in zip("qkv", names)}} for head in heads]
        exchanged = {**roles, "heads": named}
        yield exchanged
        for step in (1, -1):
            yield _with_inputs_turned(exchanged, step)
            yield _with_values_turned(exchanged, step)
            yield _with_values_turned_in_heads(exchanged, step)


def _turned(things: Any, step: int) -> Any:
    """The same list, begun elsewhere."""
    return things and [*things[step:], *things[:step]]


def _inputs_turned(layer: Any, step: int) -> Any:
    """An affine map that reads its inputs from another place on."""
    return layer and ([_turned(row, step) for row in layer[0]], layer[1])


def _with_inputs_turned(roles: Any, step: int) -> Any:
    """Every projection reads its inputs from another place on."""
    heads = [
        {name: _inputs_turned(role, step) if name != "channels" else role for name, role in head.items()}
        for head in roles["heads"]
    ]
    out = {"out": _inputs_turned(roles["out"], step)} if "out" in roles else {}
    return {**roles, **out, "heads": heads}


def _with_values_turned_in_heads(roles: Any, step: int) -> Any:
    """In each head the value channels begin elsewhere."""
    return {**roles, "heads": [{**head, "v": _outputs_turned(head["v"], step)} for head in roles["heads"]]}


def _outputs_turned(layer: Any, step: int) -> Any:
    return _turned(layer[0], step), _turned(layer[1], step)


def _with_values_turned(roles: Any, step: int) -> Any:
    """The value channels of all heads in a row begin elsewhere."""
    weights = [row for head in roles["heads"] for row in head["v"][0]]
    biases = [number for head in roles["heads"] for number in head["v"][1] or []]
    every, d = _outputs_turned((weights, biases), step), len(roles["heads"][0]["v"][0])
    heads = [
        {**head, "v": (every[0][h * d : h * d + d], every[1][h * d : h * d + d] or None)}
        for h, head in enumerate(roles["heads"])
    ]
    return {**roles, "heads": heads}
