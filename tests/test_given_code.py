"""The given code behaves as the text's: compared with a hand-in that holds the whole text, and with recursion."""

from __future__ import annotations

import ast
import random
from pathlib import Path
from typing import Any

import pytest

from engine import Value
from nn import Linear, Module, SelfAttention

ROOT = Path(__file__).resolve().parent.parent
GIVEN = [ast.parse((ROOT / "exercise" / name).read_text(encoding="utf-8")) for name in ("engine.py", "nn.py")]
PASTED = ast.parse((ROOT / "tests" / "submissions" / "right" / "bo_pasted_plain.py").read_text(encoding="utf-8"))
NAMES = ("Value", "Module", "Linear", "softmax", "attention_scores", "causal_mask", "apply_attention", "SelfAttention")
REWRITTEN = {"backward", "_topological_order"}  # the text's walks the graph by recursion


class Bare(ast.NodeTransformer):
    """Drops what changes no behaviour: docstrings, annotations, and the two methods that were rewritten."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST | None:
        node.returns = None
        self.generic_visit(node)
        return None if node.name in REWRITTEN else node

    def visit_arg(self, node: ast.arg) -> ast.AST:
        node.annotation = None
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST | None:
        return ast.Assign([node.target], node.value, lineno=0) if node.value else None

    def visit_Expr(self, node: ast.Expr) -> ast.AST | None:
        return None if isinstance(node.value, ast.Constant) else node


def bare(name: str, *trees: ast.Module) -> str:
    """The code of a class or function without docstrings and annotations."""
    (found,) = [node for tree in trees for node in tree.body if getattr(node, "name", None) == name]
    return ast.unparse(Bare().visit(ast.parse(ast.unparse(found))))


@pytest.mark.parametrize("name", NAMES)
def test_given_code_is_the_text_s(name: str) -> None:
    """But for docstrings, annotations and the walk over the graph, statement for statement."""
    assert bare(name, *GIVEN) == bare(name, PASTED)


def backward_by_recursion(result: Value) -> None:
    """The text's own backward()."""
    topo: list[Value] = []
    visited = set()

    def build_topo(v: Value) -> None:
        if v not in visited:
            visited.add(v)
            for child in v._prev:
                build_topo(child)
            topo.append(v)

    build_topo(result)
    result.grad = 1.0
    for node in reversed(topo):
        node._backward()


def random_graph(seed: int) -> tuple[list[Value], Value]:
    """Leaves, and a result computed from them with every operation, many numbers used more than once."""
    rng = random.Random(seed)
    leaves = [Value(rng.uniform(0.3, 1.5)) for _ in range(4)]
    nodes: list[Any] = list(leaves)
    for _ in range(40):
        a, b = rng.choice(nodes), rng.choice(nodes)
        made = [a + b, a * b * 0.5, a - b, a / (b * b + 1.0), -a, (a * 0.1).exp(), (a * a).log(), a.relu(), a**2 * 0.1]
        nodes.append(rng.choice(made))
    return leaves, sum(nodes[-8:])  # type: ignore[return-value]  # Values


@pytest.mark.parametrize("seed", range(12))
def test_backward_equals_recursion(seed: int) -> None:
    """The same graph twice, walked both ways: the same gradients at every leaf."""
    leaves, result = random_graph(seed)
    others, other = random_graph(seed)
    result.backward()
    backward_by_recursion(other)
    assert [v.grad for v in leaves] == pytest.approx([v.grad for v in others], rel=1e-12, abs=1e-12)
    assert any(v.grad for v in leaves)


def test_backward_adds_to_gradients_that_are_there() -> None:
    """As the text's: a second call without zeroing counts twice."""
    leaf = Value(3.0)
    for _ in range(2):
        (leaf * 2).backward()
    assert leaf.grad == 4.0


def test_backward_adds_up_both_uses_of_a_number() -> None:
    """Let b = a + a; c = b + b: the gradient is 4, in whatever order children are kept."""
    a = Value(1.0)
    b = a + a
    (b + b).backward()
    assert a.grad == 4.0


def test_a_deep_graph_needs_no_recursion() -> None:
    """A chain of 5000 additions, five times Python's usual limit."""
    leaf = Value(1.0)
    result = leaf
    for _ in range(5000):
        result = result + 1.0
    result.backward()
    assert (result.data, leaf.grad) == (5001.0, 1.0)


def test_modules_register_as_the_text_says() -> None:
    """Values and Modules in attributes, lists and tuples; not in dicts, not appended later."""
    module = Module()
    module.one, module.rows, module.kept = Value(1.0), [(Value(2.0),)], {"no": Value(3.0)}  # type: ignore[attr-defined]
    module.layers = [Linear(2, 1)]  # type: ignore[attr-defined]
    module.rows.append(Value(4.0))  # type: ignore[attr-defined]
    assert [p.data for p in module.parameters()][:2] == [1.0, 2.0] and len(module.parameters()) == 5


def test_self_attention_is_causal_by_default() -> None:
    """The one-head case that students read: row 0 is unmoved by row 1 unless the mask is off."""
    random.seed(0)
    layer = SelfAttention(2)
    one, other = ([[Value(1.0), Value(-2.0)], [Value(v), Value(0.5)]] for v in (0.25, 4.0))
    assert [v.data for v in layer(one)[0]] == [v.data for v in layer(other)[0]]
    assert [v.data for v in layer(one, causal=False)[0]] != [v.data for v in layer(other, causal=False)[0]]
