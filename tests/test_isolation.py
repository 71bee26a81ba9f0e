"""Levels, layers and their words; and that a worker without the agreed report is never given a hand-in."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from grader import isolation, launch, sandbox
from grader.isolation import Layer, Level, NotIsolated
from grader.records import GraderFault, Probe, Submission

ROOT = Path(__file__).parent.parent
GIVEN = sandbox.given_code(ROOT / "exercise")
ASKED = Probe("LayerNorm", (4.0,))


def _observe(apply: Level = "full", require: Level = "process", start: float = 30.0) -> None:
    submission = Submission("transformer_block.py", "", "raise SystemExit")
    sandbox.observe(submission, [ASKED], GIVEN, sandbox.Limits(start=start), require, apply)


def _layers(*names: str) -> tuple[Layer, ...]:
    every = [name for level in isolation.LEVELS for name in isolation.NEEDED[level]]
    return tuple(Layer(name, name in names, "why") for name in every)


def test_below_the_wish_nothing_is_graded() -> None:
    """A required level that is not reached is a fault of the grader with one plain line, before the hand-in is sent."""
    with pytest.raises(NotIsolated, match=r"^nothing was graded: isolation 'full' is required.*--require-isolation"):
        _observe("process", "full")


def test_levels_are_cumulative() -> None:
    """A level counts only when every layer of the levels below it stands."""
    limits, files, full = (isolation.NEEDED[level] for level in isolation.LEVELS[1:])
    assert isolation.achieved(_layers()) == "process"
    assert isolation.achieved(_layers(*limits)) == "limits"
    assert isolation.achieved(_layers(*files, *full)) == "process"
    assert isolation.achieved(_layers(*limits, *files)) == "files"
    assert isolation.achieved(_layers(*limits, *files, *full)) == "full"


def test_the_report_says_each_layer_in_words() -> None:
    """First one line for people, then each layer, on or off and why."""
    layers = (Layer("landlock", True, "ABI 7; x"), Layer("seccomp", False, "no list"), Layer("limits", True, "few"))
    assert isolation.lines(layers) == (
        "process (Landlock 7, limits)",
        "landlock: on (ABI 7; x)",
        "seccomp: off (no list)",
        "limits: on (few)",
    )


def _proc(folder: Path, pid: str, status: str, limits: str = "") -> None:
    (folder / pid).mkdir()
    (folder / pid / "status").write_text(status)
    (folder / pid / "limits").write_text(limits)


def test_a_layer_that_the_grader_does_not_see_is_off(tmp_path: Path) -> None:
    """A container's own filter is no filter of the worker, and a limit must be the one that was set."""
    _proc(tmp_path, "self", "NoNewPrivs:\t0\nSeccomp:\t2\nSeccomp_filters:\t1\n")
    limits = (
        "Limit  Soft Limit  Hard Limit  Units\nMax cpu time    66    66    seconds\nMax file size   0   0   bytes\n"
    )
    limits += "Max core file size   0   0   bytes\nMax address space    9   9   bytes\n"
    _proc(tmp_path, "7", "NoNewPrivs:\t1\nSeccomp:\t2\nSeccomp_filters:\t1\n", limits)
    names = ("no_new_privs", "seccomp", "limits", "landlock")
    layers = {layer.name: layer for layer in isolation.seen([Layer(name, True, "w") for name in names], 7, tmp_path)}
    assert [name for name in names if layers[name].on] == ["no_new_privs", "limits", "landlock"]
    assert layers["no_new_privs"].why == "w; the grader saw it in /proc"
    assert layers["landlock"].why == "w"


@pytest.mark.parametrize(
    "line",
    [
        "not json",
        json.dumps({"ready": True}),
        json.dumps({"layers": [{"name": "limits", "on": 1, "why": ""}]}),
        json.dumps({"layers": [], "more": 1}),
    ],
)
def test_a_broken_handshake_is_a_fault_of_the_grader(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str
) -> None:
    """A worker that reports in another form than agreed is never given a hand-in."""
    worker = tmp_path / "worker.py"
    worker.write_text(f"import sys, time\nprint({line!r}, flush=True)\nsys.stdin.readline()\ntime.sleep(60)\n")
    monkeypatch.setattr(launch, "COMMAND", (*launch.COMMAND[:-1], str(worker)))
    with pytest.raises(GraderFault, match="did not get ready"):
        _observe()


def test_a_silent_or_dead_worker_is_a_fault_of_the_grader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker that never reports, or ends first, costs nobody a mark."""
    worker = tmp_path / "worker.py"
    monkeypatch.setattr(launch, "COMMAND", (*launch.COMMAND[:-1], str(worker)))
    for text in ("import time\ntime.sleep(60)\n", "raise SystemExit(3)\n"):
        worker.write_text(text)
        with pytest.raises(GraderFault, match="did not get ready"):
            _observe(start=0.5)
