"""A hand-in copied by somebody who covers it up: other names, other order of methods, no comments, another layout."""

from __future__ import annotations

import ast
import builtins
import random

from tests.hand_ins import ROOT

GIVEN = {name: (ROOT / "exercise" / f"{name}.py").read_text(encoding="utf-8") for name in ("engine", "nn")}
STUB = (ROOT / "exercise" / "transformer_block.py").read_text(encoding="utf-8")
FIELDS = ("id", "attr", "arg", "name")


def disguised(text: str, edits: float = 0.0, seed: int = 0) -> str:
    """The copy. ``edits``: the share of statements that get another one in front of them."""
    tree, chance = ast.parse(text), random.Random(seed)
    kept = {*dir(builtins), "math", "random", "self", "forward"}
    kept |= {
        name for given in (*GIVEN.values(), STUB) for node in ast.walk(ast.parse(given)) for name in _defined(node)
    }
    places: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            node.body.reverse()
        for field in () if isinstance(node, ast.alias) else FIELDS:
            name = getattr(node, field, None)
            if isinstance(name, str) and name not in kept:
                setattr(node, field, places.setdefault(name, f"mine_{len(places)}"))
        if isinstance(node, (ast.FunctionDef, ast.For, ast.If)):
            node.body = [s for line in node.body for s in (*_edit(chance.random() < edits), line)]
    return ast.unparse(ast.fix_missing_locations(tree))


def _defined(node: ast.AST) -> list[str]:
    return [node.name] if isinstance(node, (ast.FunctionDef, ast.ClassDef)) else []


def _edit(wanted: bool) -> list[ast.stmt]:
    return ast.parse("mine = len([])").body if wanted else []
