"""Fingerprints of a hand-in's own code: what is left of it without names, layout, comments, types and given code.

Each function is read as a row of syntax nodes, and every ``GRAM`` nodes in a row are hashed; of every ``WINDOW`` hashes
in a row the smallest is kept (winnowing, Schleimer, Wilkerson and Aiken, SIGMOD 2003), so that a passage of
``GRAM + WINDOW - 1`` nodes that two hand-ins share is always seen, wherever it stands.
"""

from __future__ import annotations

import ast
import builtins
import hashlib
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from grader.pasted import pasted

GRAM = 16  # nodes: about two lines
WINDOW = 4
MOST = 20_000  # grams of one hand-in that are looked at: a filled-in stub has 500
_UNSEEN = (ast.expr_context, ast.Import, ast.ImportFrom, ast.Pass, ast.Global, ast.Nonlocal)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)

Span = tuple[int, int]  # first and last line
Words = tuple[str, ...]


@dataclass(frozen=True)
class Given:
    """What everyone was given: names that no copy can change, and the fingerprints of the given code and the stub."""

    names: frozenset[str]
    prints: frozenset[int]


def given_in(texts: Mapping[str, str]) -> Given:
    """All that the exercise's modules hold, also as it looks when it was pasted."""
    trees = [ast.parse(text) for text in (*texts.values(), pasted("class Value", texts) or "")]
    kinds = (*_FUNCTIONS, ast.ClassDef)
    defined = {node.name for tree in trees for node in ast.walk(tree) if isinstance(node, kinds)}
    bare = Given(frozenset(defined | set(dir(builtins))), frozenset())
    return Given(bare.names, frozenset(mark for tree in trees for _, mark, _ in _grams(tree, bare)))


def fingerprints(text: str, given: Given) -> Mapping[int, Span] | None:
    """The prints of a hand-in's own code, with the lines of each one's first place. None when it cannot be parsed."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what the hand-in's text gives rise to, such as an unknown escape
            tree = ast.parse(text)
        return _winnowed(islice(_grams(tree, given), MOST), given.prints)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _names(node: ast.AST) -> Iterator[str]:
    for field in ("id", "attr", "name", "arg"):
        name = getattr(node, field, None)
        if isinstance(name, str):
            yield name


def _grams(tree: ast.Module, given: Given) -> Iterator[tuple[int, int, Span]]:
    """Number of the function, hash and lines of every gram; a function shorter than that is one gram."""
    for number, body in enumerate(_pieces(tree)):
        nodes = [found for node in body for found in _nodes(node, given.names)]
        for start in range(max(1, len(nodes) - GRAM + 1)):
            piece = nodes[start : start + GRAM]
            if piece:
                lines = [line for _, line in piece if line]
                yield number, _hash(words for words, _ in piece), (min(lines, default=1), max(lines, default=1))


def _pieces(tree: ast.Module) -> Iterator[Sequence[ast.AST]]:
    """Each function with what it holds, wherever it stands; what stands outside of functions, by class."""
    todo: list[ast.Module | ast.ClassDef] = [tree]
    for holder in todo:
        rest: list[ast.AST] = list(holder.bases) if isinstance(holder, ast.ClassDef) else []
        for node in _tried(holder.body):
            if isinstance(node, ast.ClassDef):
                todo.append(node)
            elif isinstance(node, _FUNCTIONS):
                yield [node]
            else:
                rest.append(node)
        yield rest


def _tried(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """Statements without the `try` that a notebook's get when its cells become a file."""
    for node in body:
        yield from node.body if isinstance(node, ast.Try) else [node]


def _nodes(node: ast.AST, kept: frozenset[str]) -> Iterator[tuple[Words, int]]:
    """A node and what it holds, in order, with their lines (0 where there is none)."""
    if isinstance(node, _UNSEEN) or _is_text(node):
        return
    line = getattr(node, "lineno", 0)
    yield _words(node, kept), line
    for field, value in ast.iter_fields(node):
        if field in ("annotation", "returns", "type_comment", "decorator_list", "type_params"):
            continue
        for inner in value if isinstance(value, list) else [value]:
            if isinstance(inner, ast.AST):
                yield from _nodes(inner, kept)


def _is_text(node: ast.AST) -> bool:
    """A docstring, or another text that does nothing."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _words(node: ast.AST, kept: frozenset[str]) -> Words:
    """The kind of node and its names; those that a copy could have changed begin with a blank."""
    if isinstance(node, ast.Constant):
        return ("text" if isinstance(node.value, (str, bytes)) else repr(node.value),)
    kind = "Assign" if isinstance(node, ast.AnnAssign) else type(node).__name__
    names = () if isinstance(node, _FUNCTIONS) else _names(node)
    return (kind, *(name if name in kept else f" {name}" for name in names))


def _hash(gram: Iterable[Words]) -> int:
    """The same on every machine and in every run, as Python's own is not. Free names count by where they came first."""
    places: dict[str, int] = {}
    words = (
        f" {places.setdefault(word, len(places))}" if word.startswith(" ") else word for part in gram for word in part
    )
    return int.from_bytes(hashlib.blake2b("\0".join(words).encode("utf-8", "replace"), digest_size=8).digest(), "big")


def _winnowed(grams: Iterable[tuple[int, int, Span]], given: frozenset[int]) -> Mapping[int, Span]:
    kept: dict[int, Span] = {}
    rows: dict[int, list[tuple[int, Span]]] = {}
    for number, mark, span in grams:
        rows.setdefault(number, []).append((mark, span))
    for row in rows.values():
        for start in range(max(1, len(row) - WINDOW + 1)):
            mark, span = min(row[start : start + WINDOW])
            if mark not in given:
                kept.setdefault(mark, span)
    return kept
