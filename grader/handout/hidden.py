"""What must not be in a handout, read from solution/ itself: its names, its sentences, its code as runs of tokens."""

from __future__ import annotations

import ast
import builtins
import keyword
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from grader.kit import Kit
from grader.misconceptions import library

Tokens: TypeAlias = list[str]
Runs: TypeAlias = frozenset[tuple[str, ...]]

VERBATIM, RENAMED = 20, 24  # tokens in a row that no two files of this kit share by chance; FeedForward's body has 30
SHORTEST = 30  # characters of a sentence that says something
# Names that the grader has in its own right: the options of grader/readings.py, a function of the worker.
SHARED = frozenset({"_attend", "bias1", "bias2", "inner_bias", "k_bias", "out_bias", "q_bias", "v_bias"})
_TOKEN = re.compile(r"[A-Za-z_]\w*|\d[\w.]*|[^\s\w]")
_REMARK = re.compile(r'"""[\s\S]*?"""|\'\'\'[\s\S]*?\'\'\'|#[^\n]*')
_NUMBERS = re.compile(r'[-+\d.,eE\s\[\]()"\\]{60,}')  # measured ones, by the hundred thousand
_END = re.compile(r"(?<=[.:;!?])\s|\n\s*\n|\|")


@dataclass(frozen=True)
class Hidden:
    """What gives the solution away. ``known`` are names that keep their meaning when everything else is renamed.

    ``recorded`` are misconceptions' names and sentences, which the recorded numbers carry, and nothing else may.
    """

    names: frozenset[str]
    sentences: frozenset[str]
    recorded: frozenset[str]
    verbatim: Runs
    renamed: Runs
    known: frozenset[str]


def hidden(kit: Kit, solution: Path) -> Hidden:
    """All of ``solution`` that is not in the exercise too."""
    public = [path.read_text(encoding="utf-8") for path in sorted(kit.exercise.iterdir()) if path.is_file()]
    texts = {path: path.read_text(encoding="utf-8") for path in sorted(solution.rglob("*.py"))}
    told = library(solution / "misconceptions")
    recorded = frozenset(text for m in told for text in (m.name, m.sentence, m.hint))
    remarks = [remark for text in texts.values() for remark in _remarks(text)]
    prose = [path.read_text(encoding="utf-8") for path in sorted(solution.rglob("*.md"))]
    shown = spaced("\n".join(public))
    sentences = {s for text in (*remarks, *prose) for s in _sentences(text) if s not in shown and s not in recorded}
    defined = {name for text in texts.values() for name in _defined(text)} | {path.stem for path in texts}
    known = _known(public)
    bodies = [body for text in texts.values() for body in _bodies(text)]

    def alone(cut: Callable[[str], Runs]) -> Runs:
        return frozenset().union(*map(cut, bodies)) - frozenset().union(*map(cut, public))

    return Hidden(
        frozenset(name for name in defined if _telling(name)) - words("\n".join(public)) - SHARED,
        frozenset(sentences),
        recorded,
        alone(lambda text: runs(tokens(text), VERBATIM)),
        alone(lambda text: runs(renamed(tokens(text), known), RENAMED)),
        known,
    )


def tokens(text: str) -> Tokens:
    """The tokens of code, without comments and docstrings; any other text is cut in the same way."""
    return _TOKEN.findall(_REMARK.sub(" ", _NUMBERS.sub(" 0 ", text)))


def renamed(found: Tokens, known: frozenset[str]) -> Tokens:
    """Tokens with every name that is not ``known`` as one name, and every number as one number."""
    return ["0" if t[0].isdigit() else "N" if t.isidentifier() and t not in known else t for t in found]


def runs(found: Tokens, length: int) -> Runs:
    """Every run of ``length`` tokens."""
    return frozenset(tuple(found[i : i + length]) for i in range(len(found) - length + 1))


def words(text: str) -> frozenset[str]:
    """The names and words in a text."""
    return frozenset(re.findall(r"[A-Za-z_]\w*", text))


def spaced(text: str) -> str:
    """A text with one space between words, so that a break of the line hides no sentence."""
    return re.sub(r"[\s#]+", " ", text)


def _telling(name: str) -> bool:
    """Whether a name is no ordinary word, which a message of the grader may need."""
    return len(name) > 2 and re.search(r"[_\d]", name.strip("_")) is not None


def _sentences(text: str) -> Iterator[str]:
    for sentence in _END.split(text):
        plain = spaced(sentence).strip()
        if len(plain) >= SHORTEST:
            yield plain


def _remarks(text: str) -> Iterator[str]:
    """Docstrings and comments."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)):
            yield ast.get_docstring(node) or ""
    yield from re.findall(r"(?<!\S)# (?!(?:component|sentence|hint|read): )(.+)", text)


def _defined(text: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            yield node.name
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.attr


def _bodies(text: str) -> Iterator[str]:
    lines = text.splitlines()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef):
            yield "\n".join(lines[node.body[0].lineno - 1 : node.end_lineno])


def _known(public: Iterable[str]) -> frozenset[str]:
    """What a copy could not rename: the language's names and those of the given code."""
    found = {"self", "data", "grad", *dir(builtins), *keyword.kwlist}
    for text in public:
        found.update(re.findall(r"^\s*(?:def|class) (\w+)", text, re.MULTILINE))
    return frozenset(found)
