"""Reads what a hand-in returned: plain numbers where it is rows of Values, words where it is not."""

from __future__ import annotations

from math import isfinite
from typing import Any

from loading import NotAsAsked

LARGEST = 1.7e308


def flat(x: Any) -> list[Any]:
    """A row, or rows one after the other, as one list."""
    return [v for row in x for v in row] if x and isinstance(x[0], (list, tuple)) else list(x)


def shaped(x: Any, make: Any) -> Any:
    """New lists in the shape of ``x`` with ``make`` applied to every entry."""
    return [[make(v) for v in row] for row in x] if isinstance(x[0], (list, tuple)) else [make(v) for v in x]


def number(value: Any, what: str) -> float:
    """The float in ``value``; anything that is not a finite number is named."""
    if type(value) is not float and not isinstance(value, (int, float)):
        raise NotAsAsked(f"{what} is a {type(value).__name__}, not a number")
    plain = float(value)
    if not isfinite(plain):
        raise NotAsAsked(f"{what} is {plain}")
    return plain


def numbers(values: list[Any], what: str) -> list[float]:
    """The floats in ``values``, as number() takes them one by one."""
    if {*map(type, values)} <= {float} and all(map(isfinite, values)):
        return values  # the usual case, many thousand times
    return [number(value, what) for value in values]


def _kind(item: Any, Value: Any) -> str:
    if isinstance(item, Value):
        return "Value"
    return "None" if item is None else type(item).__name__


def words(out: Any, Value: Any) -> str:
    """What came back, in words: "a list of 3 lists of 4 Values"."""
    if not isinstance(out, (list, tuple)):
        kind = _kind(out, Value)
        return kind if kind == "None" else f"one {kind}"
    kinds = {_kind(item, Value) for item in out}
    name = type(out).__name__
    if len(kinds) != 1:
        return f"an empty {name}" if not out else f"a {name} with a mix of {', '.join(sorted(kinds))}"
    kind = kinds.pop()
    if kind in ("list", "tuple"):
        rows = {words(row, Value).removeprefix(f"a {kind} ").replace(f"an empty {kind}", "of nothing") for row in out}
        return f"a {name} of {len(out)} {kind}{'s' if len(out) != 1 else ''} " + " or ".join(sorted(rows)[:3])
    return f"a {name} of {len(out)} {kind}{'s' if len(out) != 1 and kind != 'None' else ''}"


def _row(out: Any, Value: Any, where: str) -> list[float] | None:
    if not isinstance(out, (list, tuple)) or not out:
        return None
    if not all(isinstance(item, Value) for item in out):
        return None
    return [number(item.data, f"{where}[{c}]") for c, item in enumerate(out)]


def answer_form(out: Any, Value: Any, rows: bool) -> dict[str, Any]:
    """``numbers`` as a row or rows of floats, None when ``out`` is anything else; ``said`` in words."""
    form: dict[str, Any] = {"numbers": None, "said": words(out, Value)[:300], "tuples": isinstance(out, tuple)}
    try:
        if not rows:
            form["numbers"] = _row(out, Value, "output")
        elif isinstance(out, (list, tuple)) and out:
            read = [_row(row, Value, f"output[{t}]") for t, row in enumerate(out)]
            form["numbers"] = None if None in read else read
            form["tuples"] = form["tuples"] or any(isinstance(row, tuple) for row in out)
    except NotAsAsked as trouble:
        form["said"] = f"{form['said']}, but {trouble}"[:300]
    return form


def graph_form(inputs: list[Any], parameters: list[Any], outputs: list[Any], quick: bool) -> dict[str, Any]:
    """The graph below ``outputs``, children before parents, as columns.

    ``quick``: the Values are those of quick.py, whose sums of products stay one node, "dot".
    """
    index: dict[int, int] = {}
    nodes: list[Any] = []
    below: list[Any] = []  # each node's children, read once
    stack: list[Any] = [*outputs, *parameters, *inputs]
    while stack:
        node = stack.pop()
        children: Any = ()
        known = node is None
        if known:  # all that was above it is done
            node, children = stack.pop(), stack.pop()
        if id(node) in index:
            continue
        if not known:
            children = node._children if quick else list(node._prev)
        if known or not children:
            index[id(node)] = len(nodes)
            nodes.append(node)
            below.append(children)
        else:
            stack += (children, node, None, *children)
    return {
        "ops": [node._rule if quick and type(node._rule) is str else _named(node) for node in nodes],
        "data": _in_range([float(node.data) for node in nodes]),
        "children": [[index[id(child)] for child in children] for children in below],
        "inputs": [index[id(node)] for node in inputs],
        "parameters": [index[id(node)] for node in parameters],
        "outputs": [index[id(node)] for node in outputs],
    }


def _named(node: Any) -> str:
    """An operation's name; "dot" is the kit's own, and somebody else's of that name another one."""
    name = str(node._op)[:40]
    return "dot()" if name == "dot" else name


def _in_range(data: list[float]) -> list[float]:
    """Numbers that JSON can hold: masks may be infinite."""
    return data if all(map(isfinite, data)) else [max(-LARGEST, min(LARGEST, value)) for value in data]
