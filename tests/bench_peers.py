"""What other ways to grade the same hand-ins cost: processes with their time and memory."""

from __future__ import annotations

import ast
import importlib.util
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from grader.submission import read
from tests.bench_table import Spent
from tests.hand_ins import ROOT
from tests.nbgrader_course import course_of, nbgrader

WITHOUT_KERNEL, WITH_KERNEL = 20, 3  # hand-ins; with a kernel each takes seconds


def command(*words: str | Path, cores: int = 0) -> Spent:
    """What one command costs with all that it starts, in an empty folder; ``cores``: bound to so many of them."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}

    with tempfile.TemporaryDirectory() as folder, _bound(cores):
        began = time.perf_counter()
        process = subprocess.Popen(
            [sys.executable, *words], cwd=folder, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        spent = Spent(time.perf_counter() - began, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)
    assert process.returncode in (0, 1), f"{words} ended with status {process.returncode}"
    return spent


@contextmanager
def _bound(cores: int) -> Iterator[None]:
    """What is started meanwhile runs on so many cores; on all of them for 0, and where they cannot be chosen."""
    if not cores or not hasattr(os, "sched_setaffinity"):
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, sorted(before)[:cores])
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def by_pytest(paths: Sequence[Path]) -> Spent:
    """Per hand-in: `pytest --submission`, one process each, every line of the rubric a test."""
    found = [command("-m", "pytest", "-q", "-p", "no:cacheprovider", "--submission", path) for path in paths]
    return Spent(*(sum(column) / len(paths) for column in list(zip(*found))[:2]))


def by_nbgrader(folder: Path, paths: Sequence[Path], say: Callable[[str], None]) -> dict[str, list[Spent]]:
    """Per hand-in: `nbgrader autograde` of the project's assignment, with its kernel and with the kit in its place."""
    if importlib.util.find_spec("nbgrader") is None:
        return {}
    folder.mkdir()
    texts = {path.stem: read(path).text or "" for path in paths if _fits_a_notebook(read(path).text or "")}
    found = {}
    for name, count in (("kit", WITHOUT_KERNEL), ("nbgrader", WITH_KERNEL)):
        (folder / name).mkdir()
        course = course_of(folder / name, dict(list(texts.items())[:count]))
        if name == "nbgrader":
            (course / "nbgrader_config.py").write_text('c = get_config()\nc.CourseDirectory.course_id = "c"\n')
        began, before = time.perf_counter(), os.times()
        done = nbgrader(course, "autograde", "transformer_block")
        after = os.times()
        assert done.returncode == 0, done.stderr[-2000:]
        cpu = after.children_user + after.children_system - before.children_user - before.children_system
        found[name] = [Spent((time.perf_counter() - began) / count, cpu / count)]
        say(f"nbgrader, {name}: {found[name][0].wall:.2f} s each")
    return found


def _fits_a_notebook(text: str) -> bool:
    """Whether its four classes are statements of the file, so that each goes into its cell."""
    return sum(isinstance(node, ast.ClassDef) for node in ast.parse(text).body) == 4
