"""The given code as a hand-in has it when the exercise's text was pasted: bare of docstrings and annotations."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from functools import lru_cache

# The text's own walk over the graph; the given code's needs no recursion.
_RECURSIVE = """
class Value:
    def backward(self):
        topo = []
        visited = set()
        def build_topo(v):
            if v not in visited:
                visited.add(v)
                for child in v._prev:
                    build_topo(child)
                topo.append(v)
        build_topo(self)
        self.grad = 1.0
        for node in reversed(topo):
            node._backward()
"""


def pasted(text: str, given: Mapping[str, str]) -> str | None:
    """What the worker compares a pasted class Value with; None where a hand-in has none."""
    return _bare(tuple(given.values())) if "class Value" in text else None


class _Bare(ast.NodeTransformer):
    """Drops docstrings and annotations: the text has neither where the given code has them."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        if ast.get_docstring(node, clean=False) is not None:
            node.body = node.body[1:] or [ast.Pass()]
        node.returns = None
        self.generic_visit(node)
        return node

    def visit_arg(self, node: ast.arg) -> ast.AST:
        node.annotation = None
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST | None:
        return ast.Assign([node.target], node.value, lineno=node.lineno) if node.value else None


@lru_cache(maxsize=1)
def _bare(texts: tuple[str, ...]) -> str:
    trees = [_Bare().visit(ast.parse(text)) for text in (*texts, _RECURSIVE)]
    return "\n".join(map(ast.unparse, trees)).replace("from __future__ import annotations\n", "")
