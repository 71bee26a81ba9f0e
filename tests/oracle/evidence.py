"""Proof, without the grader, that each wrong hand-in is wrong: its path comes in, short sentences go out.

``python -m tests.oracle.evidence`` records the proofs in tests/submissions/evidence.json. Hand-ins run in a
process of their own, ``python -m tests.oracle.evidence --ask FILE FAULTY COMPONENTS``, because some hang.
"""

from __future__ import annotations

import contextlib
import gc
import json
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from tests.oracle import attention, block, feed_forward, layer_norm
from tests.oracle.loading import KIT, WRONG, loaded, standing_in
from tests.oracle.questions import Fault

RECORD = KIT / "tests" / "submissions" / "evidence.json"
SECONDS = 5  # of computing; a whole hand-in takes below one
ENDS = {"hang": f"no answer within {SECONDS} s of computing", "died": "the process ended before it had answered"}
PATIENCE = 120  # seconds on the clock, for what waits without computing
CHECKS = {
    part.NAME: part.CHECKS
    for part in (attention, layer_norm, feed_forward, block)  # the block last, see faulty
}


@dataclass(frozen=True)
class Evidence:
    """One component proven wrong."""

    component: str
    kind: str
    sentence: str


def against(module: ModuleType, component: str) -> Evidence | None:
    """The first fault of one component of a loaded hand-in."""
    for check in CHECKS[component]:
        try:
            check(module)
        except Fault as fault:
            return Evidence(component, fault.kind, fault.sentence)
    return None


def against_block(module: ModuleType, faulty: list[str]) -> Evidence | None:
    """The block's own fault: right parts stand in for the faulty ones, if the block can use them."""
    with standing_in(module, faulty):
        found = against(module, block.NAME)
    if found is None or found.kind != "raises" or not faulty:
        return found
    return against(module, block.NAME) and found


def answers(path: Path, faulty: list[str], components: list[str]) -> Iterator[Evidence | str]:
    """In the hand-in's process: the name of each component before it is asked, the evidence after it."""
    with contextlib.ExitStack() as stack:
        try:
            module = stack.enter_context(loaded(path))
        except BaseException as error:  # noqa: BLE001 -- loading runs the hand-in, which may raise anything
            told = f"the file does not load: {error!r}"[:120]
            yield from (Evidence(component, "load", told) for component in components)
            return
        for component in components:
            yield component
            found = against_block(module, faulty) if component == block.NAME else against(module, component)
            if found is not None:
                faulty = [*faulty, component]
                yield found


def reply(path: Path, faulty: list[str], components: list[str]) -> None:
    """Write the answers as JSON lines to the true standard output, which the hand-in cannot reach by print()."""
    gc.disable()  # Values form cycles, and collecting them costs more than computing; 200 MB hold one hand-in's
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 1))
    sys.setrecursionlimit(20_000)  # a pasted backward() recurses
    with os.fdopen(os.dup(1), "w") as lines:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        for answer in answers(path, faulty, components):
            lines.write(json.dumps(answer if isinstance(answer, str) else asdict(answer)) + "\n")
            lines.flush()


def listen(path: Path, faulty: list[str], components: list[str]) -> tuple[list[Any], str]:
    """The answers of the hand-in's process, and how it ended: done, hang or died."""
    command = [
        sys.executable,
        "-S",
        "-m",
        f"{__package__}.evidence",
        "--ask",
        str(path),
        ",".join(faulty),
        ",".join(components),
    ]
    settings: dict[str, Any] = {"cwd": KIT, "env": {**os.environ, "PYTHONHASHSEED": "0"}, "stdin": subprocess.DEVNULL}
    try:
        run = subprocess.run(command, capture_output=True, timeout=PATIENCE, check=False, **settings)
    except subprocess.TimeoutExpired as late:
        return [json.loads(line) for line in (late.stdout or b"").splitlines()], "hang"
    if b"Traceback" in run.stderr:
        raise RuntimeError(f"the oracle failed on {path.name}:\n{run.stderr.decode(errors='replace')}")
    end = {0: "done", -signal.SIGXCPU: "hang"}.get(run.returncode, "died")
    return [json.loads(line) for line in run.stdout.splitlines()], end


def evidence(path: Path) -> list[Evidence]:
    """Every component of a hand-in that is proven wrong, each with the first proof found."""
    found: list[Evidence] = []
    waiting = list(CHECKS)
    while waiting:
        lines, end = listen(path, [one.component for one in found], waiting)
        found += [Evidence(**line) for line in lines if isinstance(line, dict)]
        started = [line for line in lines if isinstance(line, str)]
        if end == "done":
            break
        found += [Evidence(component, end, ENDS[end]) for component in started[-1:] or waiting]
        waiting = waiting[waiting.index(started[-1]) + 1 :] if started else []
    return found


def record() -> None:
    """Write the evidence against every wrong hand-in, in the order of their names."""
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        proofs = dict(zip((path.name for path in WRONG), pool.map(evidence, WRONG), strict=True))
    table = {name: [asdict(one) for one in found] for name, found in proofs.items()}
    RECORD.write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--ask"]:
        reply(Path(sys.argv[2]), *([name for name in names.split(",") if name] for names in sys.argv[3:5]))
    else:
        record()
