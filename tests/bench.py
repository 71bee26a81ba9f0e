"""How fast the grader is, against the bare passes and against peers, all in one run: ``python -m tests.bench``.

Every figure is a median of interleaved rounds; on a busy machine only ratios mean something, and CPU seconds more than
seconds on the clock. ``--write`` puts the table into the README.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import importlib.util
import io
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from itertools import cycle, islice
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from grader.forms import to_form
from grader.grading import Grader, Kit
from grader.pasted import pasted
from grader.records import Observation, Probe, Submission, Transcript
from grader.sandbox import given_code
from grader.submission import read
from tests.bench_table import Spent, table, written
from tests.hand_ins import REFERENCE, ROOT
from tests.nbgrader_course import NAME, course_of, nbgrader

RIGHT = sorted((ROOT / "tests" / "submissions" / "right").glob("*.py"))


Measure = Callable[[], Spent]
_own: dict[str, Any] = {}  # what a process of a pool keeps between its tasks


def _cpu() -> float:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def _start_grading(ready: Any) -> None:
    _own["grader"] = Grader(Kit.here())
    _own["grader"].grade(read(REFERENCE))
    ready.wait()


def _grade(path: Path) -> float:
    before = _cpu()
    _own["grader"].grade(read(path))
    return _cpu() - before


def _start_asking(ready: Any) -> None:
    sys.path.insert(0, str(ROOT / "grader" / "worker"))
    import asking
    import loading

    sys.setrecursionlimit(20_000)
    gc.disable()  # as the worker does
    _own.update(asking=asking, loading=loading, given=given_code(ROOT / "exercise"), probes=_probes())
    ready.wait()


def _probes() -> list[Any]:
    """What the grader asks every hand-in."""
    asked: dict[Probe, None] = {}

    def overhear(submission: Submission, probes: Sequence[Probe]) -> Transcript:
        asked.update(dict.fromkeys(probes))
        return Transcript(dict.fromkeys(probes, Observation("blocked")))

    Grader(Kit.here()).grade(read(REFERENCE), overhear)
    return [to_form(probe) for probe in asked]


def _ask(path: Path) -> float:
    """Only the answers: forward and backward passes, in this process, on the quick Value."""
    text = read(path).text or ""
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        hand_in, fault = _own["loading"].load(path.name, text, _own["given"], pasted(text, _own["given"]))
        assert fault is None, fault
        before = time.process_time()
        for probe in _own["probes"]:
            _own["asking"].answer(hand_in, probe)
        return time.process_time() - before


def side_by_side(start: Callable[[Any], None], work: Callable[[Path], float], cores: int, paths: list[Path]) -> Spent:
    """Seconds per hand-in when this many processes share them, once all have started."""
    context = get_context("spawn")
    ready = context.Barrier(cores + 1)
    with context.Pool(cores, start, (ready,)) as pool:
        ready.wait()
        began = time.perf_counter()
        cpu = sum(pool.imap_unordered(work, paths))
        return Spent((time.perf_counter() - began) / len(paths), cpu / len(paths))


def command(*words: str | Path) -> Spent:
    """What one command costs, from start to end, in an empty folder."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with tempfile.TemporaryDirectory() as folder:
        began, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, *words], cwd=folder, env=environment, capture_output=True, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return Spent(time.perf_counter() - began, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def by_pytest(paths: list[Path]) -> Spent:
    """Seconds per hand-in of `pytest --submission`: one process each, every line of the rubric a test."""
    found = [command("-m", "pytest", "-q", "-p", "no:cacheprovider", "--submission", path) for path in paths]
    return Spent(*(sum(column) / len(paths) for column in zip(*found)))


def by_nbgrader(hand_ins: int = 20) -> Spent | None:
    """Seconds per hand-in of `nbgrader autograde` as it comes, a kernel for each; None without nbgrader."""
    if importlib.util.find_spec("nbgrader") is None:
        return None
    texts = {f"student-{k}": read(path).text or "" for k, path in enumerate(islice(cycle(RIGHT), hand_ins))}
    with tempfile.TemporaryDirectory() as folder:
        course = course_of(Path(folder), texts)
        (course / "nbgrader_config.py").unlink()  # it takes kernels out
        began, before = time.perf_counter(), _cpu()
        done = nbgrader(course, "autograde", NAME)
        wall, cpu = time.perf_counter() - began, _cpu() - before
    if done.returncode != 0:
        raise RuntimeError(done.stderr)
    return Spent(wall / hand_ins, cpu / hand_ins)


def _memory(counts: tuple[int, int]) -> list[float]:
    """Peak MiB of a grading process after so many hand-ins, without its workers."""
    grader, peaks = Grader(Kit.here()), []
    for k, path in enumerate(islice(cycle(RIGHT), counts[1]), 1):
        grader.grade(read(path))
        if k in counts:
            peaks.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
    return peaks


def rounds(count: int, hand_ins: int) -> dict[str, list[Spent]]:
    """Every measurement this many times, in turn."""
    paths = list(islice(cycle(RIGHT), hand_ins))
    measures: dict[str, Measure] = {
        "one": lambda: side_by_side(_start_grading, _grade, 1, paths),
        "floor": lambda: side_by_side(_start_asking, _ask, 1, paths),
        "two": lambda: side_by_side(_start_grading, _grade, 2, paths),
        "pytest": lambda: by_pytest(paths[:10]),
        "check": lambda: command("-m", "grader", "check", REFERENCE),
        "import": lambda: command("-c", "import pytest"),
        "reference": lambda: side_by_side(_start_asking, _ask, 1, [REFERENCE] * 5),
    }
    found: dict[str, list[Spent]] = {name: [] for name in measures}
    for k in range(count):
        for name, measure in measures.items():
            found[name].append(measure())
            sys.stderr.write(f"round {k + 1}, {name}: {found[name][-1].wall:.3f} s, CPU {found[name][-1].cpu:.3f} s\n")
    return found


def main() -> None:
    """Measure, print, and with --write keep it in the README."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--hand-ins", type=int, default=200)
    parser.add_argument("--no-memory", action="store_true", help="leave out the 1,000 hand-ins for peak memory")
    parser.add_argument("--write", action="store_true", help="write the table into the README")
    options = parser.parse_args()
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # as on most machines: modules are compiled once
    found = rounds(options.rounds, options.hand_ins)
    with get_context("spawn").Pool(1) as pool:
        memory = [] if options.no_memory else pool.apply(_memory, ((100, 1000),))
    text = table(found, by_nbgrader(), memory, options.hand_ins)
    sys.stdout.write(text)
    if options.write:
        readme = ROOT / "README.md"
        readme.write_text(written(readme.read_text(encoding="utf-8"), text), encoding="utf-8")


if __name__ == "__main__":
    main()
