"""The layout maps of all authors in one table: a module comes in, the roles of its parameters go out."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

Layout = dict[str, Callable[[Any], dict[str, Any]]]

PARTS = {
    "norm1": "LayerNorm",
    "attention": "MultiHeadAttention",
    "norm2": "LayerNorm",
    "feedforward": "FeedForward",
}


def layouts() -> dict[str, Layout]:
    """Every LAYOUTS table beside this file, merged; a hand-in described twice is an error."""
    merged: dict[str, Layout] = {}
    for path in sorted(Path(__file__).parent.glob("layouts_*.py")):
        table = importlib.import_module(f"{__package__}.{path.stem}").LAYOUTS
        twice = merged.keys() & table.keys()
        assert not twice, f"{path.name} describes {sorted(twice)} again"
        merged.update(table)
    return merged


def roles_of(layout: Layout, component: str, module: Any) -> dict[str, Any]:
    """The roles of a module's Values; a block's parts are described down to their Values too."""
    roles = layout[component](module)
    if component != "TransformerBlock":
        return roles
    return {
        name: part if isinstance(part, dict) else roles_of(layout, PARTS[name], part) for name, part in roles.items()
    }


def is_value(leaf: Any) -> bool:
    """Whether a leaf of the roles is a Value of any engine, and not a flag, an index or None."""
    return hasattr(leaf, "_prev") and hasattr(leaf, "data")


def numbers(roles: Any) -> Any:
    """The same roles with every Value replaced by its number."""
    if isinstance(roles, dict):
        return {name: numbers(role) for name, role in roles.items()}
    if isinstance(roles, (list, tuple)):
        return [numbers(role) for role in roles]
    return roles.data if is_value(roles) else roles


def values(roles: Any) -> list[Any]:
    """Every Value in the roles once, in reading order."""
    return list({id(value): value for value in _walk(roles)}.values())


def _walk(roles: Any) -> Iterator[Any]:
    """The Values of the roles as they come."""
    if is_value(roles):
        yield roles
    elif isinstance(roles, (dict, list, tuple)):
        for role in roles.values() if isinstance(roles, dict) else roles:
            yield from _walk(role)
