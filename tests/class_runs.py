"""Runs of a class that tests make: folders of hand-ins, the commands as processes, and what a store holds."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from grader.classroom import STORE, registered
from grader.cohort import HandIn, Mark, Standing
from grader.entry import unpacked
from grader.forms import to_form
from grader.records import COMPONENTS
from grader.store import Store
from tests.hand_ins import ROOT, environment, run

CORPUS = ROOT / "tests" / "submissions"


def handed_in(folder: Path, stems: Sequence[str]) -> Path:
    """A folder with these files of the corpus, one per student."""
    folder.mkdir()
    for stem in stems:
        (path,) = CORPUS.glob(f"*/{stem}.py")
        shutil.copy(path, folder)
    return folder


def command(*arguments: str | Path) -> list[str]:
    """A command of the grader as a process's arguments."""
    return [sys.executable, "-m", "grader", *map(str, arguments)]


def ran(*arguments: str | Path, kit: Path = ROOT, ahead: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """`grader class` or `grader regrade` as a process, with the kit at ``kit`` and ``ahead`` before it on the path."""
    path = os.pathsep.join(map(str, dict.fromkeys((ahead, kit)) if ahead != ROOT else (kit,)))
    return run(*command(*arguments), cwd=kit, env=environment(PYTHONPATH=path))


def results(run_folder: Path) -> dict[str, Any]:
    """By key: report and observations of every line, without the seconds."""
    with Store(run_folder / STORE) as store:
        lines = [(key, store[key]) for key in store]
    assert len(lines) == len((run_folder / STORE).read_bytes().splitlines()), "something was done twice"
    return {f"{k.hand_in} {k.seed}": [timeless(to_form(e.report)), lasting(to_form(unpacked(e)))] for k, e in lines}


def stored_points(run_folder: Path) -> dict[str, dict[str, float]]:
    """By student and component: the points in the store."""
    with Store(run_folder / STORE) as store:
        found = {
            place.hand_in.student: store.latest(place.digest, place.seed) for place in registered(run_folder).places
        }
    reports = {student: line.report for student, line in found.items() if line}
    return {
        student: {name: float(sum(r.points for r in report.results if r.component == name)) for name in COMPONENTS}
        for student, report in reports.items()
    }


def timeless(form: Any) -> Any:
    """A form without how long anything took."""
    if isinstance(form, dict):
        return {key: timeless(value) for key, value in form.items() if key != "seconds"}
    return [timeless(item) for item in form] if isinstance(form, (list, tuple)) else form


def lasting(form: Any) -> Any:
    """What two observations of one file have in common to the last bit but one.

    A Value keeps its children in a set: the order of nodes, and of sums, depends on where they lie in memory.
    """
    if isinstance(form, dict) and form.keys() >= {"ops", "children"}:
        return sorted(form["ops"]), sorted(lasting(form["data"])), len(form["children"])
    if isinstance(form, dict):
        return {key: lasting(value) for key, value in form.items() if key != "seconds"}
    if isinstance(form, float):
        return f"{0.0 if abs(form) < 1e-12 else form:.6e}"
    return [lasting(item) for item in form] if isinstance(form, (list, tuple)) else form


def stood(student: str, score: int = 100, *aliases: str, marks: tuple[Mark, ...] = ()) -> Standing:
    """A standing made by hand."""
    return Standing(HandIn(student, aliases, f"{student}.py"), 0, score, 100, marks, (), "process", 0.1)
