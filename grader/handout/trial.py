"""Tries a handout as whoever gets it: unpacked in a folder of its own, by its own grader, with nothing of ours."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from grader.handout.archive import Files, write_below
from grader.records import GraderFault

SECONDS = 120.0  # for one run: a net
_KEPT = ("PATH", "SYSTEMROOT", "TEMP", "TMP", "TMPDIR")  # of the environment; Windows starts nothing without some


def run(folder: Path, *arguments: str) -> str:
    """What ``python -m grader`` prints in ``folder``. Raises GraderFault when it breaks."""
    environment = {name: os.environ[name] for name in _KEPT if name in os.environ}
    command = [sys.executable, "-m", "grader", *arguments]
    try:
        done = subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, encoding="utf-8", timeout=SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise GraderFault(f"the handout's own grader did not run: {error}") from None
    if done.returncode not in (0, 1):
        raise GraderFault(f"the handout's own grader broke on `grader {arguments[0]}`: {done.stderr.strip()}")
    return done.stdout


def report(folder: Path, hand_in: Path) -> Any:
    """The report, as JSON, of the grader in ``folder`` on a hand-in."""
    return json.loads(run(folder, "check", str(hand_in), "--format", "json"))


def try_bundle(files: Files, stub: str, reference: bytes) -> None:
    """The stub scores 0, all of it to do, and the reference in its place full marks. Raises GraderFault otherwise."""
    with tempfile.TemporaryDirectory(prefix="handout-") as name:
        folder = Path(name).resolve()
        write_below(folder, files)
        first = report(folder, folder / stub)
        _expect("the stub", first, 0)
        if {line["status"] for line in first["results"]} != {"todo"}:
            raise GraderFault("the handout was not written: its stub is not all `todo`")
        (folder / stub).write_bytes(reference)
        _expect("the reference", report(folder, folder / stub), first["max_score"])


def try_autograder(files: Files, stub: bytes, reference: bytes) -> None:
    """In Gradescope's folders the stub gets 0 and the reference 100. Raises GraderFault otherwise."""
    for what, text, score in (("the stub", stub, 0), ("the reference", reference, 100)):
        with tempfile.TemporaryDirectory(prefix="handout-") as name:
            root = Path(name).resolve()
            write_below(root / "source", files)
            write_below(root / "submission", {"transformer_block.py": text})
            run(root / "source", "gradescope", str(root))
            form = json.loads((root / "results" / "results.json").read_bytes())
            _expect(what, {"score": sum(test["score"] for test in form["tests"])}, score)


def _expect(what: str, found: Any, score: int) -> None:
    if found["score"] != score:
        said = f"{what} scores {found['score']} with it, expected {score}"
        raise GraderFault(f"the handout was not written: {said}")
