"""How fast the grader is, against the bare passes and against peers, all in one run: ``python -m tests.bench``.

Every figure is a median of interleaved rounds; on a busy machine only ratios mean something, and CPU seconds more than
seconds on the clock. ``--write`` puts the table into the README.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import io
import os
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from itertools import cycle, islice
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from grader.forms import to_form
from grader.grading import Grader
from grader.kit import Kit
from grader.pasted import pasted
from grader.records import Observation, Probe, Submission, Transcript
from grader.sandbox import given_code
from grader.submission import read
from tests.bench_peers import by_nbgrader, by_pytest, command
from tests.bench_table import Spent, table, written
from tests.hand_ins import REFERENCE, ROOT, STUB

RIGHT = sorted((ROOT / "tests" / "submissions" / "right").glob("*.py"))
SIZES = (100, 1_000, 10_000)  # of classes whose memory is measured
_own: dict[str, Any] = {}  # what the process of the bare passes keeps between its tasks


def class_of(folder: Path, paths: Sequence[Path], count: int) -> Path:
    """These files over and over, each with its student's name in a last comment, so that no two are one file."""
    folder.mkdir(exist_ok=True)
    for k, path in enumerate(islice(cycle(paths), count)):
        (folder / f"student{k:05}.py").write_bytes(path.read_bytes().rstrip() + f"\n# student {k}\n".encode("ascii"))
    return folder


def by_class(folder: Path, cores: int, count: int) -> Spent:
    """Seconds per hand-in of `grader class` on so many cores, from its start to its summary."""
    with tempfile.TemporaryDirectory() as run:
        words = ("-m", "grader", "class", folder, "--output", Path(run) / "run", "--jobs", str(cores))
        spent = command(*words, cores=cores)
    return Spent(spent.wall / count, spent.cpu / count, spent.peak)


def _start_asking() -> None:
    sys.path.insert(0, str(ROOT / "grader" / "worker"))
    import asking
    import loading

    sys.setrecursionlimit(20_000)
    gc.disable()  # as the worker does
    _own.update(asking=asking, loading=loading, given=given_code(ROOT / "exercise"), probes=_probes())


def _probes() -> list[Any]:
    """What the grader asks every hand-in."""
    asked: dict[Probe, None] = {}

    def overhear(submission: Submission, probes: Sequence[Probe]) -> Transcript:
        asked.update(dict.fromkeys(probes))
        return Transcript(dict.fromkeys(probes, Observation("blocked")))

    Grader(Kit.here()).grade(read(REFERENCE), overhear)
    return [to_form(probe) for probe in asked]


def _ask(path: Path) -> float:
    """CPU seconds of the answers alone: forward and backward passes, in this process, on the quick Value."""
    text = read(path).text or ""
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        hand_in, fault = _own["loading"].load(path.name, text, _own["given"], pasted(text, _own["given"]))
        assert fault is None, fault
        before = time.process_time()
        for probe in _own["probes"]:
            _own["asking"].answer(hand_in, probe)
        return time.process_time() - before


def bare(paths: Sequence[Path]) -> Spent:
    """Seconds per hand-in of nothing but the passes, one after the other in one process."""
    with get_context("spawn").Pool(1, _start_asking) as pool:
        cpu = sum(pool.imap_unordered(_ask, paths)) / len(paths)
    return Spent(cpu, cpu)


def peaks(folder: Path) -> list[float]:
    """Peak MiB of the largest process of `grader class` as a class of small hand-ins grows, in one run."""
    found = []
    for size in SIZES:
        small = class_of(folder / "class", [STUB], size)
        found.append(command("-m", "grader", "class", small, "--output", folder / "run").peak)
        _say(f"{size} small hand-ins: {found[-1]:.0f} MiB")
    return found


def rounds(count: int, folder: Path, hand_ins: int) -> dict[str, list[Spent]]:
    """Every measurement this many times, in turn."""
    measures: dict[str, Callable[[], Spent]] = {
        "one": lambda: by_class(folder, 1, hand_ins),
        "floor": lambda: bare(RIGHT),
        "two": lambda: by_class(folder, 2, hand_ins),
        "pytest": lambda: by_pytest(RIGHT[:10]),
        "check": lambda: command("-m", "grader", "check", REFERENCE),
        "import": lambda: command("-c", "import pytest"),
        "reference": lambda: bare([REFERENCE] * 5),
    }
    found: dict[str, list[Spent]] = {name: [] for name in measures}
    for k in range(count):
        for name, measure in measures.items():
            found[name].append(measure())
            _say(f"round {k + 1}, {name}: {found[name][-1].wall:.3f} s, CPU {found[name][-1].cpu:.3f} s")
    return found


def _say(text: str) -> None:
    sys.stderr.write(f"{text}\n")


def main() -> None:
    """Measure, print, and with --write keep it in the README."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--hand-ins", type=int, default=200)
    parser.add_argument("--no-memory", action="store_true", help="leave out the classes of up to 10,000 small hand-ins")
    parser.add_argument("--no-nbgrader", action="store_true", help="leave out nbgrader")
    parser.add_argument("--write", action="store_true", help="write the table into the README")
    options = parser.parse_args()
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # as on most machines: modules are compiled once
    with tempfile.TemporaryDirectory() as place:
        folder = class_of(Path(place) / "class", RIGHT, options.hand_ins)
        found = rounds(options.rounds, folder, options.hand_ins)
        if not options.no_nbgrader:
            found |= by_nbgrader(Path(place) / "course", RIGHT, _say)
        (Path(place) / "small").mkdir()
        memory = [] if options.no_memory else peaks(Path(place) / "small")
    text = table(found, dict(zip(SIZES, memory)), options.hand_ins)
    sys.stdout.write(text)
    if options.write:
        readme = ROOT / "README.md"
        readme.write_text(written(readme.read_text(encoding="utf-8"), text), encoding="utf-8")


if __name__ == "__main__":
    main()
