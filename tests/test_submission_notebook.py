"""Reading a notebook: its code cells become one file, without the lines that only IPython understands."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from grader.submission import read


def names_of(folder: Path, *sources: str | list[str]) -> dict[str, Any]:
    """What the code of a notebook with these cells defines."""
    cells = [{"cell_type": "code", "source": source} for source in sources]
    cells.insert(1, {"cell_type": "markdown", "source": "not code ("})
    path = folder / "mine.ipynb"
    path.write_text(json.dumps({"cells": cells, "nbformat": 4}), encoding="utf-8")
    text = read(path).text
    assert text is not None
    names: dict[str, Any] = {}
    exec(compile(text, "hand-in", "exec"), names)
    return names


def test_cells_are_joined_in_order(tmp_path: Path) -> None:
    """A later cell sees the names of an earlier one; a cell that ends without a line break does not run into it."""
    assert names_of(tmp_path, "x = 1", "y = x + 1")["y"] == 2


def test_source_may_be_a_list_of_lines(tmp_path: Path) -> None:
    """Both forms of nbformat 4 are read."""
    assert names_of(tmp_path, ["def f():\n", "    return 3"])["f"]() == 3


@pytest.mark.parametrize("line", ["%matplotlib inline", "!pip install numpy", "%%time", "?print"])
def test_magic_lines_do_nothing(tmp_path: Path, line: str) -> None:
    """Magics and shell lines are dropped, the code below them stays."""
    assert names_of(tmp_path, f"{line}\nx = 1")["x"] == 1


def test_magic_inside_a_block_keeps_the_block(tmp_path: Path) -> None:
    """An `if` whose only line is a magic still has a body."""
    assert names_of(tmp_path, "if True:\n    %time\nx = 1")["x"] == 1


def test_remainder_at_the_start_of_a_line_is_no_magic(tmp_path: Path) -> None:
    """A % inside brackets is arithmetic, as formatters break long lines before operators."""
    assert names_of(tmp_path, "x = (\n    7\n    % 4\n)")["x"] == 3


def test_rare_line_breaks_inside_a_string_stay(tmp_path: Path) -> None:
    """A form feed or U+2028 in a string does not end the line for Python."""
    assert names_of(tmp_path, "x = 'a\u2028b\x0cc'")["x"] == "a\u2028b\x0cc"
