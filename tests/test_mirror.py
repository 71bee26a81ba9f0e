"""The stub and the reference mirror each other, name for name; what a student reads is what is graded."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
STUB = ast.parse((ROOT / "exercise" / "transformer_block.py").read_text(encoding="utf-8"))
REFERENCE = ast.parse((ROOT / "solution" / "transformer_block.py").read_text(encoding="utf-8"))
CLASSES = ("MultiHeadAttention", "LayerNorm", "FeedForward", "TransformerBlock")

every_class = pytest.mark.parametrize("name", CLASSES)


def class_of(tree: ast.Module, name: str) -> ast.ClassDef:
    """The class of this name."""
    return next(node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == name)


def methods(tree: ast.Module, name: str) -> dict[str, ast.FunctionDef]:
    """The methods of a class, in order."""
    return {node.name: node for node in class_of(tree, name).body if isinstance(node, ast.FunctionDef)}


def documented(method: ast.FunctionDef) -> tuple[str, str, str | None]:
    """Signature with defaults and annotations, what it returns, and its docstring."""
    return ast.unparse(method.args), ast.unparse(method.returns or ast.Constant(None)), ast.get_docstring(method)


@pytest.mark.parametrize("tree", [STUB, REFERENCE], ids=["stub", "reference"])
def test_both_have_the_four_classes_and_no_other(tree: ast.Module) -> None:
    """In the order of the text, and nothing else at the top but imports."""
    assert tuple(node.name for node in tree.body if isinstance(node, ast.ClassDef)) == CLASSES
    others = [node for node in tree.body[1:] if not isinstance(node, (ast.ClassDef, ast.Import, ast.ImportFrom))]
    assert others == []


@every_class
def test_classes_have_the_same_bases_and_docstrings(name: str) -> None:
    """What the class is for is said once."""
    stub, reference = class_of(STUB, name), class_of(REFERENCE, name)
    assert [ast.unparse(base) for base in stub.bases] == [ast.unparse(base) for base in reference.bases] == ["Module"]
    assert ast.get_docstring(stub) == ast.get_docstring(reference) is not None


@every_class
def test_methods_have_the_same_names(name: str) -> None:
    """The reference has the stub's methods in the stub's order; beside them only private ones."""
    public = [method for method in methods(REFERENCE, name) if method == "__init__" or not method.startswith("_")]
    assert list(methods(STUB, name)) == public == ["__init__", "forward"]


@every_class
@pytest.mark.parametrize("method", ["__init__", "forward"])
def test_methods_have_the_same_signatures_and_docstrings(name: str, method: str) -> None:
    """Names, order, annotations, defaults and contract are the same."""
    stub = documented(methods(STUB, name)[method])
    assert stub == documented(methods(REFERENCE, name)[method]) and stub[2]


@pytest.mark.parametrize(
    ("name", "method", "signature"),
    [
        ("MultiHeadAttention", "__init__", "self, embed_dim: int, num_heads: int"),
        ("MultiHeadAttention", "forward", "self, x: List[List[Value]], causal: bool=True"),
        ("LayerNorm", "__init__", "self, dim: int, eps: float=1e-05"),
        ("LayerNorm", "forward", "self, x: List[Value]"),
        ("FeedForward", "__init__", "self, embed_dim: int, hidden_dim: Optional[int]=None"),
        ("FeedForward", "forward", "self, x: List[Value]"),
        ("TransformerBlock", "__init__", "self, embed_dim: int, num_heads: int"),
        ("TransformerBlock", "forward", "self, x: List[List[Value]]"),
    ],
)
def test_signatures_are_those_of_the_text(name: str, method: str, signature: str) -> None:
    """As the exercise was first given."""
    assert ast.unparse(methods(STUB, name)[method].args) == signature


@every_class
def test_the_stub_has_nothing_but_docstrings(name: str) -> None:
    """Under its docstring every method raises NotImplementedError and says which method it is."""
    for method in methods(STUB, name).values():
        (_, raising) = method.body
        assert ast.unparse(raising) == f"raise NotImplementedError('TODO: {name}.{method.name}')"


@every_class
def test_the_reference_leaves_nothing_to_do(name: str) -> None:
    """No method of the reference raises."""
    assert not [node for node in ast.walk(class_of(REFERENCE, name)) if isinstance(node, ast.Raise)]


def test_both_import_the_same_given_code() -> None:
    """From engine and nn, the same names in the same order."""

    def given(tree: ast.Module) -> list[str]:
        found = [node for node in tree.body if isinstance(node, ast.ImportFrom) and node.module in ("engine", "nn")]
        return [ast.unparse(node) for node in found]

    assert given(STUB) == given(REFERENCE) and len(given(STUB)) == 2
