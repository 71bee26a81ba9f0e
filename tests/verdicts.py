"""The corpus with the student's bundle and with the full kit: `python -m tests.verdicts` compares them."""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from grader.corpus import cases
from grader.grading import Grader
from grader.handout.archive import write_below
from grader.handout.bundle import bundle
from grader.handout.trial import run
from grader.kit import Kit
from grader.render import RENDERERS
from grader.submission import read
from tests.hand_ins import ROOT

CORPUS = ROOT / "tests" / "submissions"


def verdict(report: Any) -> Any:
    """What a report says, without clocks, machines and hints, and without how much random numbers take to print."""
    told = [(n["component"], re.sub(r"[\d,]+ bytes", "many bytes", n["text"])) for n in report["notices"]]
    lines = [(r["id"], r["status"], r["points"], r["message"]) for r in report["results"]]
    return report["score"], lines, report["diagnoses"], told


def differences(folder: Path, paths: Iterable[Path]) -> Iterator[str]:
    """The hand-ins on which the bundle in ``folder``, run as a student runs it, says something else than the kit."""
    grader = Grader(Kit.here())
    for path in paths:
        out = json.loads(run(folder, "check", str(path), "--format", "json"))
        full = json.loads(RENDERERS["json"](grader.grade(read(path))))
        if verdict(out) != verdict(full):
            yield f"{path.name}: {out['score']} with the bundle, {full['score']} with the full kit"


def main() -> int:
    """Compare them all, right ones too if asked; returns 1 when any differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--right", action="store_true", help="the right hand-ins too")
    options = parser.parse_args()
    paths = [case.path for case in cases(CORPUS) if options.right or case.kind == "wrong"]
    with tempfile.TemporaryDirectory() as folder:
        write_below(Path(folder), bundle(Kit.here()))
        found = list(differences(Path(folder), paths))
    same = f"{len(paths) - len(found)} of {len(paths)} hand-ins get the same verdict"
    sys.stdout.write("\n".join([*found, same, ""]))
    return bool(found)


if __name__ == "__main__":
    raise SystemExit(main())
