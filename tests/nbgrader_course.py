"""A real nbgrader course: made by `grader handout nbgrader`, with hand-ins in it, run by nbgrader's own commands."""

from __future__ import annotations

import ast
import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

from grader.records import COMPONENTS
from tests.hand_ins import ROOT, environment, run

NAME = "transformer_block"
Marks = dict[str, dict[str, float | None]]  # by student and component


def course_of(folder: Path, hand_ins: Mapping[str, str]) -> Path:
    """A released course below ``folder``; each student handed in the notebook with the classes of a .py file's text."""
    done = run(sys.executable, "-m", "grader", "handout", "nbgrader", "--into", folder)
    assert done.returncode == 0, done.stderr
    course = folder / "nbgrader"
    for student, text in hand_ins.items():
        submit(course, student, filled(released(course), text))
    return course


def released(course: Path) -> str:
    """The notebook that students get."""
    return (course / "release" / NAME / f"{NAME}.ipynb").read_text(encoding="utf-8")


def filled(notebook: str, text: str, *own: str) -> str:
    """A notebook with the four classes of a hand-in's text in their cells.

    Before them stand what else it has, in one cell, and the student's ``own`` cells.
    """
    made = json.loads(notebook)
    lines, rest = text.splitlines(), []
    cells = {cell["id"]: cell for cell in made["cells"]}
    for node in ast.parse(text).body:
        first = min([node.lineno, *(decorator.lineno for decorator in getattr(node, "decorator_list", ()))])
        source = "\n".join(lines[first - 1 : node.end_lineno])
        if isinstance(node, ast.ClassDef) and node.name in COMPONENTS:
            cells[f"code-{node.name}"]["source"] = source
        elif not isinstance(node, ast.Expr):
            rest.append(source)
    place = made["cells"].index(cells["given"]) + 1
    more = [_code(f"own-{i}", source) for i, source in enumerate(("\n".join(rest), *own))]
    made["cells"][place:place] = more
    return json.dumps(made)


def _code(name: str, source: str) -> dict[str, object]:
    return {"cell_type": "code", "id": name, "metadata": {}, "outputs": [], "execution_count": None, "source": source}


def submit(course: Path, student: str, notebook: str) -> Path:
    """Put a notebook where nbgrader collects it."""
    path = course / "submitted" / student / NAME / f"{NAME}.ipynb"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(notebook, encoding="utf-8")
    return path


def nbgrader(course: Path, *arguments: str, first: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """One of nbgrader's commands, in the course; ``first`` is the kit that its own process imports."""
    beside = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    away = {name: str(course / ".jupyter") for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "IPYTHONDIR")}
    more = environment(PATH=beside, **away) | {"PYTHONPATH": str(first)}
    return run(sys.executable, "-m", "nbgrader", *arguments, cwd=course, env=more)


def marks(course: Path) -> Marks:
    """What nbgrader's gradebook holds for each test cell."""
    query = """select a.student_id, c.name, g.auto_score from grade g
               join base_cell c on g.cell_id = c.id join submitted_notebook n on g.notebook_id = n.id
               join submitted_assignment a on n.assignment_id = a.id"""
    found: Marks = {}
    with closing(sqlite3.connect(course / "gradebook.db")) as database:
        for student, cell, score in database.execute(query):
            found.setdefault(student, {})[cell] = score
    return found
