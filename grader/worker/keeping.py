"""Counts the Values that a component keeps and computes with, but does not list: weights that nobody can train."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def unlisted(
    module: Any, make: Callable[[], Any], run: Callable[[Any], list[Any]], listed: list[Any], quick: bool
) -> int:
    """How many leaves two calls of ``module`` share that another module has not: neither constants nor parameters.

    ``run`` calls a module with new inputs and gives its outputs in one list.
    """
    first, again, other = (_leaves(run(one), quick) for one in (module, module, make()))
    return len(first.keys() & again.keys() - other.keys() - {id(p) for p in listed})


def _leaves(outputs: list[Any], quick: bool) -> dict[int, Any]:
    """What was computed from nothing, by identity; the objects are held, so that no number is given twice."""
    seen: dict[int, Any] = {}
    found: dict[int, Any] = {}
    stack = list(outputs)
    while stack:
        node = stack.pop()
        if id(node) in seen:
            continue
        seen[id(node)] = node
        children = node._children if quick else node._prev
        stack += children
        if not children:
            found[id(node)] = node
    return found
