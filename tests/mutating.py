"""Small changes to a right hand-in, one at a time: its path comes in, mutants go out.

Only the author's own code is changed: no pasted given code, no annotations, no texts, no main block.
"""

from __future__ import annotations

import ast
import re
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.changing import changes

GIVEN = {
    "Value", "Module", "Linear", "SelfAttention", "softmax", "attention_scores", "causal_mask", "apply_attention"
}  # fmt: skip
COMPONENTS = ("MultiHeadAttention", "LayerNorm", "FeedForward", "TransformerBlock")
CUT = """

def _cut(v):
    if isinstance(v, (list, tuple)):
        return type(v)(_cut(item) for item in v)
    return v.__class__(v.data) if hasattr(v, "_prev") else v
"""


@dataclass(frozen=True)
class Mutant:
    """A hand-in with one change: of this kind, on this line, in the part of this component if it is in one's class."""

    hand_in: str
    line: int
    kind: str
    change: str
    source: str
    component: str | None
    text: str

    @property
    def name(self) -> str:
        return f"{self.hand_in}:{self.line}: {self.kind}: {self.change}"


def mutants(path: Path) -> list[Mutant]:
    """Every mutant of a hand-in, each text once; Python may be unable to read it."""
    with tokenize.open(path) as file:
        text = file.read()
    found: dict[str, Mutant | None] = {text: None}
    for top, component in _own(ast.parse(text)):
        found.update((mutant.text, mutant) for mutant in _of(path.stem, text, top, component))
    return [mutant for mutant in found.values() if mutant]


def _own(tree: ast.Module) -> Iterator[tuple[ast.stmt, str | None]]:
    """The top-level statements that are the author's, each with the component whose class it is."""
    pasted = any(isinstance(node, ast.ClassDef) and node.name == "Module" for node in tree.body)
    for node in tree.body:
        if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
            if not (pasted and node.name in GIVEN):
                yield node, node.name if node.name in COMPONENTS else None
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            yield node, None


def _of(hand_in: str, text: str, top: ast.stmt, component: str | None) -> Iterator[Mutant]:
    """The mutants of one top-level statement."""
    data = text.encode("utf-8")
    starts = [0, *(match.end() for match in re.finditer(b"\n", data))]
    for node, kind, new in changes(top):
        first, last = _place(starts, node.lineno, node.col_offset), _place(starts, node.end_lineno, node.end_col_offset)
        old = data[first:last].decode("utf-8")
        changed = (data[:first] + new.encode("utf-8") + data[last:]).decode("utf-8")
        yield Mutant(
            hand_in,
            node.lineno,
            kind,
            f"{_brief(old)} -> {_brief(new)}",
            text.split("\n")[node.lineno - 1].strip(),
            component,
            changed + CUT if "_cut(" in new else changed,
        )


def _place(starts: list[int], line: int | None, column: int | None) -> int:
    assert line is not None and column is not None
    return starts[line - 1] + column


def _brief(code: str) -> str:
    words = " ".join(code.split())
    return words if len(words) <= 60 else f"{words[:57]}..."


def readable(text: str) -> bool:
    """Whether Python can read this text."""
    try:
        compile(text, "mutant", "exec", dont_inherit=True)
    except (SyntaxError, ValueError):
        return False
    return True
