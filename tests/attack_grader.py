"""A grader for attacks, as a process of its own: one JSON line per hand-in comes in, one goes out, until it is killed.

It shares nothing with the tests but two pipes, since an attack may reach for its memory, its environment and its life.
"""

from __future__ import annotations

import ctypes
import json
import os
import resource
import signal
import sys
import time
from contextlib import suppress
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from grader.grading import Grader
from grader.kit import Kit
from grader.records import GraderFault, Report
from grader.render import RENDERERS, terminal
from grader.rubric import RUBRIC
from grader.sandbox import Limits
from grader.submission import read

LIMITS = Limits(load=2.5, probe=2.5, total=20.0)
PR_SET_CHILD_SUBREAPER = 36


def left_behind() -> list[int]:
    """Children of this process: a worker is reaped, so each is something that a hand-in started and left."""
    found = []
    for entry in os.scandir("/proc"):
        if entry.name.isdecimal():
            with suppress(OSError):
                fields = (Path(entry.path) / "stat").read_text().rpartition(")")[2].split()
                if int(fields[1]) == os.getpid() and fields[0] != "Z":
                    found.append(int(entry.name))
    return found


def _standing() -> list[Any]:
    """What a hand-in might change of this process: its limits and its priority."""
    kinds = [getattr(resource, name) for name in dir(resource) if name.startswith("RLIMIT_")]
    return [*map(resource.getrlimit, kinds), os.getpriority(os.PRIO_PROCESS, 0), sorted(os.sched_getaffinity(0))]


def _form(report: Report) -> dict[str, Any]:
    return {
        "score": report.score,
        "statuses": {result.id: result.status for result in report.results},
        "points": {result.id: result.points for result in report.results},
        "silent": [r.id for r in report.results if r.status != "passed" and not r.message],
        "whole": [r.id for r in report.results] == [check.id for check in RUBRIC] and report.max_score == 100,
        "shown": terminal.render(report, terminal.Style(hints=1)),
        "printed": RENDERERS["json"](report),
        "isolation": report.environment.isolation[0] if report.environment.isolation else "",
        "fields": json.dumps([asdict(one) for one in report.results]),
    }


def _graded(asked: dict[str, Any], grader: Grader) -> dict[str, Any]:
    usual: Any = grader._observe
    grader._observe = partial(usual, require=asked["level"], apply=asked["level"], limits=LIMITS)
    try:
        form = _form(grader.grade(read(Path(asked["path"]))))
    except GraderFault as fault:
        form = {"fault": str(fault)}
    except Exception as error:  # noqa: BLE001  # an attack that breaks the grader is reported
        form = {"fault": f"broken: {type(error).__name__}: {error}"}
    finally:
        grader._observe = usual
    return form


def main() -> None:
    """Grade what is asked; orphans of a hand-in become children of this process, are counted and ended."""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    grader = Grader(Kit.here(), 0)
    for line in sys.stdin:
        started, before = time.monotonic(), _standing()
        form = _graded(json.loads(line), grader)
        form["seconds"] = time.monotonic() - started
        form["left"] = len(left := left_behind())
        for pid in left:
            os.kill(pid, signal.SIGKILL)
        with suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG) != (0, 0):
                pass
        form["changed"] = _standing() != before
        sys.stdout.write(json.dumps(form) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
