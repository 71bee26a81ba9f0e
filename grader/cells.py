"""Code cells of a notebook as one file that behaves as the cells do: an error ends the statement, not the file."""

from __future__ import annotations

import ast
import json
import re
import sys
from collections.abc import Iterable, Iterator

# How a test cell of the kit's own notebooks begins its last step; such cells are no part of a hand-in.
TEST = 'points = check("'
_TEST = re.compile(rf"(?m)^{re.escape(TEST)}")
_PLACE = re.compile(r"# In \[(\d{1,9})\], line (\d{1,9})")
_GIVEN = {"engine", "nn", "exercise"}
_DEFINITION = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def code_of(notebook: str) -> tuple[str | None, str | None]:
    """The code in a notebook's text, or what is wrong in words."""
    try:
        sources = [cell["source"] for cell in json.loads(notebook)["cells"] if cell["cell_type"] == "code"]
        cells = list(enumerate(map("".join, sources), 1))
    except (ValueError, KeyError, TypeError, RecursionError):
        return None, "The file is named .ipynb but is not a notebook of format 4; save it again from Jupyter."
    if not any(source.strip() for _, source in cells):
        return None, "The notebook has no code cells."
    return joined(cells), None


def joined(cells: Iterable[tuple[int, str]]) -> str:
    """Cells with their numbers, one after the other. What only tries things out may fail, as in a kernel.

    Definitions stay as written. A cell that is no Python, even without lines that are IPython's alone, is kept: then
    the file is none either.
    """
    futures: dict[str, None] = {}
    pieces = [_piece(number, _without_magics(cell), futures) for number, cell in cells if not _TEST.search(cell)]
    head = [f"from __future__ import {', '.join(futures)}"] if futures else []
    return "\n\n".join([*head, *pieces]) + "\n"


def place(text: str, line: int) -> str:
    """Where a line of ``text`` stands in the notebook: "line 3 of In [2]", numbered as cells are that run in order."""
    above = re.split(r"\r\n|\r|\n", text)[: line - 1]
    for back, remark in enumerate(reversed(above)):
        found = _PLACE.fullmatch(remark)
        if found:
            return f"line {int(found[2]) + back} of In [{found[1]}]"
    return f"line {line}"


def definitions(code: str) -> frozenset[str] | None:
    """Names of the classes and functions that a cell defines; None for a cell that is no Python."""
    tree = _parsed(_without_magics(code))
    return None if tree is None else frozenset(node.name for node in tree.body if isinstance(node, _DEFINITION))


def _without_magics(code: str) -> str:
    """A cell as Python: lines that are IPython's alone become comments, where there are any."""
    if _parsed(code) is None:
        return re.sub(r"(?m)^([ \t]*)([%!?][^\n]*)$", r"\1pass  # \2", code)
    return code


def _parsed(code: str) -> ast.Module | None:
    try:
        return ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _piece(number: int, code: str, futures: dict[str, None]) -> str:
    """One cell; what it imports from __future__, which only the head of a file may, goes into ``futures``."""
    tree, whole = _parsed(code), f"{_place(number, 1)}\n{code}"
    if tree is None or not any(_tries(node) or _is_future(node) for node in tree.body):
        return whole
    try:
        return "\n".join(_statements(number, code, tree, futures))
    except RecursionError:  # nested too deep to be written anew
        return whole


def _place(number: int, line: int) -> str:
    return f"# In [{number}], line {line}"


def _statements(number: int, code: str, tree: ast.Module, futures: dict[str, None]) -> Iterator[str]:
    lines = re.sub(r"\r\n?", "\n", code).split("\n")  # what Python counts as lines
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and _is_future(node):
            futures.update(dict.fromkeys(alias.name for alias in node.names))
        elif _tries(node):
            yield ast.unparse(_forgiven(node))
        elif isinstance(node, _DEFINITION):  # as written: messages quote its lines
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            yield "\n".join([_place(number, first), *lines[first - 1 : node.end_lineno]])
        else:
            yield ast.unparse(node)


def _is_future(node: ast.stmt) -> bool:
    return isinstance(node, ast.ImportFrom) and node.module == "__future__"


def _tries(node: ast.stmt) -> bool:
    """Whether a statement runs something that may fail: no definition, no import from the standard library."""
    if isinstance(node, ast.Import):
        return not all(_is_there(alias.name) for alias in node.names)
    if isinstance(node, ast.ImportFrom):
        return not _is_there(node.module or "")
    constant = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    return not constant and not isinstance(node, (*_DEFINITION, ast.Pass))


def _is_there(module: str) -> bool:
    return module.partition(".")[0] in sys.stdlib_module_names | _GIVEN


def _forgiven(node: ast.stmt) -> ast.Try:
    caught = ast.parse("Exception, SystemExit", mode="eval").body
    return ast.fix_missing_locations(
        ast.Try([node], [ast.ExceptHandler(caught, None, [ast.Pass()])], orelse=[], finalbody=[])
    )
