"""The source notebook of the nbgrader assignment, made from the exercise's text, the stub and the reference.

Markers, metadata (version 3) and partial credit are nbgrader's: see its user guide and nbgrader.utils.determine_grade.
"""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path
from typing import Any

from grader.cells import TEST
from grader.records import COMPONENTS, Component, GraderFault, UsageError
from grader.rubric import RUBRIC

NAME = "transformer_block"  # of the assignment and of its notebook
WELCOME = """\
This notebook is what you hand in. Run the first code cell, then fill in the four classes, in any order. Below each
class a cell shows what is right and what to do next: it grades your code in a process of its own, as often as you
like. `engine.py` and `nn.py` lie beside the notebook. Before you hand in, restart the kernel, run all cells, and save.

Cells of your own are welcome. What they define counts; what they only try out may fail."""
ABOVE = ("", "What to write", "Numbers to compare with")  # sections of the exercise's text, "" is its beginning
BELOW = ("Where the text is silent", "How marks are given", "Questions")
ABSENT = """
try:
    from grader.notebook import check
except ImportError:  # the checks are for your own use here; your work is graded all the same

    def check(component):
        print("The checks are not installed here, so nothing was graded. Install the kit, or put this notebook")
        print("into the exercise's folder, beside grader/, and restart the kernel.")
        return 0
"""
# For kernels, where the hand-in has run. A fault of the grader ends the kernel: that gives no mark, and no zero.
HIDDEN = f'''\
### BEGIN HIDDEN TESTS
import json, os, subprocess, sys
_grader = [sys.executable, "-I", "-m", "grader", "check", "{NAME}.ipynb", "--format", "json"]
_done = subprocess.run([*_grader, "--component", "%s"], capture_output=True, stdin=subprocess.DEVNULL)
if _done.returncode not in (0, 1):
    os._exit(3)
points = json.loads(_done.stdout)["score"]
### END HIDDEN TESTS
'''


def notebook(exercise: Path, solution: Path) -> str:
    """The source notebook as JSON: the text, the given imports, and per component a solution and a test cell."""
    try:
        from nbformat import v4
    except ImportError:
        raise UsageError("nbgrader is not installed: pip install 'transformer-block-kit[nbgrader]'") from None
    stub = (exercise / "transformer_block.py").read_text(encoding="utf-8")
    reference = (solution / "transformer_block.py").read_text(encoding="utf-8")
    sections = _sections((exercise / "README.md").read_text(encoding="utf-8"))
    cells = [_prose(v4, title, sections) for title in ABOVE]
    cells.insert(1, v4.new_markdown_cell(WELCOME, id="welcome", metadata=_metadata("welcome")))
    # The reference's, not the stub's: it may annotate with more.
    given = f"{imports(reference)}\n{ABSENT.rstrip()}"
    cells.append(v4.new_code_cell(given, id="given", metadata=_metadata("given")))
    for component in COMPONENTS:
        most = sum(check.points for check in RUBRIC if check.component == component)
        name, test = f"code-{component}", component  # as `grader class --gradebook` names the cells with marks
        solved = with_solution(_class(stub, component), _class(reference, component))
        cells.append(v4.new_code_cell(solved, id=name, metadata=_metadata(name, solution=True)))
        cells.append(v4.new_code_cell(_test(component, most), id=test, metadata=_metadata(test, points=most)))
    cells += [_prose(v4, title, sections) for title in BELOW]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    made: Any = v4.new_notebook(cells=cells, metadata={"kernelspec": kernel, "language_info": {"name": "python"}})
    return json.dumps(made, indent=1, ensure_ascii=False) + "\n"


def with_solution(stub: str, reference: str) -> str:
    """The stub's class with the reference's bodies between nbgrader's markers.

    Each method of the stub keeps its head and its docstring. What else the reference has in between is solution too.
    """
    heads, bodies = _methods(stub), _methods(reference)
    if not set(heads) <= set(bodies) or next(iter(bodies)) not in heads:
        raise GraderFault("the reference does not have the stub's methods, or begins with another one")
    lines, solved = stub.splitlines(), reference.splitlines()
    first = next(iter(heads.values()))
    out = lines[: first.lineno - 1]
    starts = [bodies[name].lineno for name in bodies if name in heads]
    for name, end in zip((name for name in bodies if name in heads), [*(start - 1 for start in starts[1:]), None]):
        own = heads[name]
        body = "\n".join(solved[_after_docstring(bodies[name]) : end]).rstrip().splitlines()
        out += lines[own.lineno - 1 : _after_docstring(own)]
        out += ["        ### BEGIN SOLUTION", *body, "        ### END SOLUTION", ""]
    return "\n".join(out).rstrip()


def _methods(source: str) -> dict[str, ast.FunctionDef]:
    (node,) = ast.parse(source).body
    assert isinstance(node, ast.ClassDef)
    return {inner.name: inner for inner in node.body if isinstance(inner, ast.FunctionDef)}


def _after_docstring(method: ast.FunctionDef) -> int:
    """How many lines the head takes, counted from the class's first."""
    return method.body[0].end_lineno or method.lineno


def _class(text: str, name: Component) -> str:
    (node,) = (node for node in ast.parse(text).body if isinstance(node, ast.ClassDef) and node.name == name)
    return "\n".join(text.splitlines()[node.lineno - 1 : node.end_lineno])


def imports(text: str) -> str:
    """The imports, without the one from __future__: only the first cell of a notebook may have it."""
    found = [node for node in ast.parse(text).body if isinstance(node, (ast.Import, ast.ImportFrom))]
    return "\n".join(ast.unparse(node) for node in found if getattr(node, "module", "") != "__future__")


def _sections(text: str) -> dict[str, str]:
    parts = re.split(r"(?m)^(?=## )", text)
    return {part.partition("\n")[0][3:] if part.startswith("## ") else "": part.strip() for part in parts}


def _prose(v4: Any, title: str, sections: dict[str, str]) -> Any:
    name = title.lower().replace(" ", "-") or "exercise"
    return v4.new_markdown_cell(sections[title], id=name, metadata=_metadata(name))


def _test(component: Component, most: int) -> str:
    head = f"# {most} points for {component}. Run this cell to see what is right, and what to do next."
    return f'{head}\n{TEST}{component}")\n{HIDDEN % component}points'


def _metadata(name: str, solution: bool = False, points: int | None = None) -> dict[str, Any]:
    """nbgrader's own part of a cell: read-only, a solution, or a test with points."""
    told = {"schema_version": 3, "grade_id": name, "locked": not solution, "solution": solution, "task": False}
    graded = {"grade": points is not None} | ({} if points is None else {"points": points})
    return {"nbgrader": told | graded}
