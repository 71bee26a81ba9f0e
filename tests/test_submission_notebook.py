"""Reading a notebook: its code cells become one file, without the lines that only IPython understands."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from grader.cells import place
from grader.grading import Grader
from grader.kit import Kit
from grader.submission import MAX_BYTES, NOTEBOOK_BYTES, read
from tests.hand_ins import STUB, class_of


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


def test_what_only_tries_something_out_may_fail(tmp_path: Path) -> None:
    """As in a kernel, a statement that raises ends itself alone: what comes before and after it counts."""
    own = "class A:\n    pass\nA().missing\nx = A()\nx.y.z = 1\nsize = int('7')"
    names = names_of(tmp_path, own, "import numpy_of_mine\nfor i in range(3): print(q)\nexit()", "y = size + 1")
    assert names["y"] == 8 and "x" in names


def test_definitions_stay_as_written(tmp_path: Path) -> None:
    """Messages quote lines of a class, so it keeps its comments and layout beside a statement that is written anew."""
    own = "@staticmethod\ndef f( x ):\n    # why\n    return 'a\u2028b'\nf(1)"
    path = tmp_path / "mine.ipynb"
    path.write_text(json.dumps({"cells": [{"cell_type": "code", "source": own}]}), encoding="utf-8")
    assert "@staticmethod\ndef f( x ):\n    # why\n    return 'a\u2028b'\n" in (read(path).text or "")


def test_import_from_future_counts_in_every_cell(tmp_path: Path) -> None:
    """A kernel takes it anywhere, a file only at its head."""
    names = names_of(tmp_path, "x = 1", "from __future__ import annotations\ndef f(a: Missing): return a")
    assert names["f"](3) == 3


def test_the_kits_own_test_cells_are_no_part_of_the_hand_in(tmp_path: Path) -> None:
    """They grade it; run inside of it they would fail, or ask for ever."""
    assert "points" not in names_of(tmp_path, "x = 1", '# 5 points\npoints = check("LayerNorm")\npoints')


def test_a_notebook_may_be_large_by_what_it_shows(tmp_path: Path) -> None:
    """Outputs do not count towards the limit of a file of code; the code itself does."""
    path = tmp_path / "mine.ipynb"
    cell = {"cell_type": "code", "source": "import math", "outputs": ["#" * MAX_BYTES]}
    path.write_text(json.dumps({"cells": [cell]}), encoding="utf-8")
    assert (read(path).text or "").endswith("import math\n")
    path.write_text(json.dumps({"cells": [cell | {"source": "#" * MAX_BYTES}]}), encoding="utf-8")
    assert "256 KiB" in (read(path).trouble or "")


def test_a_notebook_is_not_read_without_end(tmp_path: Path) -> None:
    """More than 16 MiB are refused with what to do."""
    path = tmp_path / "mine.ipynb"
    path.write_bytes(b" " * (NOTEBOOK_BYTES + 1))
    assert "clear the outputs" in (read(path).trouble or "")


@pytest.mark.parametrize("before", ["", "A().x\n\n", "%time\nx = 1\n"])
def test_messages_say_which_line_of_which_cell(tmp_path: Path, before: str) -> None:
    """As numbered when all cells run in order, test cells among them; also where a class shares a cell with a trial."""
    norm = class_of(STUB, "LayerNorm").replace(
        "raise NotImplementedError", "  # why\n        raise NotImplementedError"
    )
    cells = [
        "from typing import List\nfrom engine import Value\nfrom nn import Module",
        'points = check("A")',
        before + norm,
    ]
    path = tmp_path / "mine.ipynb"
    path.write_text(json.dumps({"cells": [{"cell_type": "code", "source": cell} for cell in cells]}), encoding="utf-8")
    line = (before + norm).splitlines().index('        raise NotImplementedError("TODO: LayerNorm.__init__")') + 1
    message = next(r.message for r in Grader(Kit.here()).grade(read(path)).results if r.id == "LayerNorm.shape")
    assert f"Not written yet (line {line} of In [3])" in message


def test_what_loads_the_file_is_placed_too(tmp_path: Path) -> None:
    """A cell that is no Python is named with its own line."""
    path = tmp_path / "mine.ipynb"
    cells = ["x = 1\nx.y", "y = 1\ny = = 2"]
    path.write_text(json.dumps({"cells": [{"cell_type": "code", "source": cell} for cell in cells]}), encoding="utf-8")
    assert "line 2 of In [2]: `y = = 2`" in Grader(Kit.here()).grade(read(path)).results[0].message


def test_places_that_a_student_wrote_do_no_harm() -> None:
    """A comment like the reader's own gives a wrong place at worst."""
    assert place(f"# In [{'9' * 5000}], line 1\nx", 2) == "line 2"
    assert place("# In [7], line 70\nx", 2) == "line 70 of In [7]"
