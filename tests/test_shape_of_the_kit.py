"""The shape that was chosen, held by reading the sources: who imports whom, who prints, how long things are."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SOURCES = sorted(p for folder in ("grader", "exercise", "solution") for p in (ROOT / folder).rglob("*.py"))
TREES = {path: ast.parse(path.read_text(encoding="utf-8")) for path in SOURCES}
WORKER = ROOT / "grader" / "worker"
GRADER = [path for path in SOURCES if path.is_relative_to(ROOT / "grader") and WORKER not in path.parents]

# One way: a module imports from its own layer or from one above it in this table, never from one below.
LAYERS = (
    ("grader",),
    ("records.asked", "records.faults"),
    ("records.answered", "records.reported", "records.ungraded"),
    ("records",),
    ("compare", "forms", "hints", "writing", "isolation", "progress", "pool", "spread", "bytecode", "pasted", "cells"),
    ("readings", "misconceptions", "cohort", "corpus", "attention_map", "github_api", "layouts", "kit"),
    ("findings", "submission", "entry", "launch", "forking", "process", "replies", "git"),
    ("pull_request",),
    ("sandbox", "watching"),
    ("checks", "checks.evidence", "checks.draws", "checks.operations"),
    ("checks.ask_attention", "checks.ask_block", "checks.ask_rows", "checks.check"),
    (
        "checks.shape",
        "checks.contract",
        "checks.causality",
        "checks.values",
        "checks.gradient",
        "checks.heads",
        "checks.recomputation",
        "checks.replay",
    ),
    ("checks.composed", "checks.founded"),
    ("rubric",),
    ("messages", "notices", "diagnosis", "pictures"),
    ("judging", "own_operations", "own_parts", "expectations", "oracle", "tally", "listing", "roster", "store"),
    ("gradebook_csv", "gradebook_database"),
    ("fingerprints", "similarity", "class_results", "class_findings"),
    ("grading", "recollection", "gradebook", "seeds"),
    ("recording", "digests", "marking"),
    ("cluster",),
    ("render",),
    ("artifact",),
    (
        "autograder",
        "nbgrader_marks",
        "notebook",
        "classroom",
        "regrade",
        "handout",
        "face",
        "audit",
        "flakes",
        "comment",
    ),
    ("class_page",),
    ("class_command",),
    ("cli",),
    ("__main__",),
)
RANK = {name: rank for rank, layer in enumerate(LAYERS) for name in layer}
BANNED = {"utils", "util", "helpers", "helper", "common", "base", "manager", "core", "misc", "tools"}
CLOCKS = {"subprocess", "time", "threading", "multiprocessing", "concurrent", "asyncio", "signal", "resource", "socket"}
CLOCKS |= {"urllib"}
OBSERVING = {
    "cluster",
    "sandbox",
    "watching",
    "process",
    "isolation",
    "launch",
    "forking",
    "pool",
    "git",
    "github_api",
    "handout.trial",
}

every_grader = pytest.mark.parametrize("path", GRADER, ids=lambda path: path.relative_to(ROOT).as_posix())


def name_of(path: Path) -> str:
    """The module's name below grader: "checks.values", "grader" for the package itself."""
    parts = path.relative_to(ROOT / "grader").with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts) or "grader"


def rank(name: str) -> int | None:
    """The layer of a module; everything below render is one, and below handout and cli."""
    top = name.partition(".")[0]
    return RANK.get(top if top in ("render", "handout", "cli") else name)


def imports(path: Path) -> Iterator[str]:
    """Full names of what a file imports, as modules where they are modules."""
    for node in ast.walk(TREES[path]):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute"
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                yield inner if is_module(inner) else str(node.module)


def is_module(name: str) -> bool:
    """Whether a full name is a module's or a package's here."""
    path = ROOT / name.replace(".", "/")
    return path.with_suffix(".py").exists() or (path / "__init__.py").exists()


def inside(path: Path) -> list[str]:
    """Modules of the grader that a file imports, by their names below grader."""
    found = [name for name in imports(path) if name.partition(".")[0] == "grader"]
    return [name.partition(".")[2] or "grader" for name in found]


@every_grader
def test_every_module_has_its_layer(path: Path) -> None:
    """A new module is given its place in LAYERS, once."""
    assert rank(name_of(path)) is not None


@every_grader
def test_imports_go_one_way(path: Path) -> None:
    """Nothing is imported from a later layer."""
    own = rank(name_of(path))
    assert [name for name in inside(path) if (rank(name) or 0) > (own or 0)] == []


def test_imports_have_no_cycle() -> None:
    """Not even within one layer."""
    graph = {name_of(path): set(inside(path)) - {"grader", "render", "checks"} for path in GRADER}
    while leaves := {name for name, needs in graph.items() if not needs & graph.keys()}:
        graph = {name: needs for name, needs in graph.items() if name not in leaves}
    assert graph == {}


@every_grader
def test_the_grader_imports_no_exercise_and_no_solution(path: Path) -> None:
    """It knows them as paths only."""
    names = {name.partition(".")[0] for name in imports(path)}
    assert names & {"exercise", "solution", "engine", "nn", "transformer_block", "tests"} == set()


@pytest.mark.parametrize("path", [p for p in SOURCES if WORKER in p.parents], ids=lambda path: path.name)
def test_the_worker_stands_alone(path: Path) -> None:
    """The worker imports the standard library and its own files, nothing of the grader."""
    assert [name for name in imports(path) if name.partition(".")[0] in ("grader", "exercise", "solution")] == []


@every_grader
def test_nobody_imports_the_worker(path: Path) -> None:
    """It is started, not imported."""
    assert [name for name in inside(path) if name.startswith("worker")] == []


def test_records_stand_at_the_bottom() -> None:
    """Records import nothing of the grader, and comparing needs records alone."""
    records = [p for p in GRADER if p.parent.name == "records"]
    assert {name.partition(".")[0] for path in records for name in inside(path)} == {"records"}
    assert set(inside(ROOT / "grader" / "compare.py")) == {"records"}


@pytest.mark.parametrize("folder", ["checks", "render"])
def test_pure_parts_import_nothing_impure(folder: str) -> None:
    """Checks and renderers see no process, no file and no command."""
    impure = {"sandbox", "process", "isolation", "submission", "writing", "grading", "cli", "face"}
    found = {name for path in GRADER if (ROOT / "grader" / folder) in path.parents for name in inside(path)}
    assert found and found & impure == set()


def test_checks_import_no_renderer() -> None:
    """A ruling does not know how it will be shown."""
    found = [name for path in GRADER if (ROOT / "grader" / "checks") in path.parents for name in inside(path)]
    assert [name for name in found if name.startswith(("render", "messages", "rubric", "judging"))] == []


@every_grader
def test_only_observing_touches_processes_and_clocks(path: Path) -> None:
    """Elsewhere time comes in as an argument."""
    found = {name.partition(".")[0] for name in imports(path)} & CLOCKS
    assert not found or name_of(path) in OBSERVING


def says_something(node: ast.AST) -> bool:
    """Whether this is a use of the console or an end of the program."""
    if isinstance(node, ast.Name):
        return node.id in {"print", "input", "exit", "quit", "SystemExit"}
    return isinstance(node, ast.Attribute) and ast.unparse(node) in {
        "sys.exit", "sys.stdout", "sys.stderr", "sys.stdin", "os._exit"
    }  # fmt: skip


@every_grader
def test_only_the_command_prints_and_exits(path: Path) -> None:
    """Everything else returns what it has to say, or raises."""
    found = [ast.unparse(node) for node in ast.walk(TREES[path]) if says_something(node)]
    assert not found or name_of(path).partition(".")[0] in ("cli", "__main__")


def test_no_file_is_named_for_nothing() -> None:
    """Modules are nouns from the flow, and there is no drawer for odds and ends."""
    assert [path for path in SOURCES if path.stem in BANNED] == []


def test_files_are_short() -> None:
    """200 lines at most."""
    lengths = {path.name: len(path.read_text(encoding="utf-8").splitlines()) for path in SOURCES}
    assert {name: length for name, length in lengths.items() if length > 200} == {}


def test_functions_are_short() -> None:
    """40 lines at most, with signature and docstring."""
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    functions = [(path.name, n) for path in SOURCES for n in ast.walk(TREES[path]) if isinstance(n, kinds)]
    assert [f"{name}: {f.name}" for name, f in functions if (f.end_lineno or 0) - f.lineno + 1 > 40] == []


def test_every_file_says_what_it_is() -> None:
    """A module begins with a docstring; a misconception is no module but a piece of one, and begins with a comment."""
    modules = [path for path in SOURCES if path.parent.name != "misconceptions"]
    assert len(modules) > 40
    assert [path for path in modules if not ast.get_docstring(TREES[path])] == []
