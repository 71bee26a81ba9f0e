"""A file with two components, one of which does as a test says, and what is observed of both."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from grader.records import Call, Observation, Probe, Transcript
from grader.sandbox import Limits, given_code, observe
from grader.submission import read
from tests.hand_ins import ROOT

GIVEN = given_code(ROOT / "exercise")
USUAL = Limits()
SHORT = Limits(load=1.0, probe=1.0)
FILE = """
import json, os, subprocess, sys, threading, time
from nn import Module

def everywhere(text):
    for fd in range(3, 64):
        try:
            os.write(fd, text)
        except OSError:
            pass

{top}

class LayerNorm(Module):
    def __init__(self, dim, eps=1e-5):
        super().__init__()

    def forward(self, x):
        {body}
        return [v * 2 for v in x]

class FeedForward(LayerNorm):
    def forward(self, x):
        return [v * 3 for v in x]
"""
POINTS = ((1.0, 2.0), (3.0, 4.0), (5.0, 6.0))
FAULTY = tuple(Probe("LayerNorm", (2,), (Call(x),)) for x in POINTS)
SOUND = tuple(Probe("FeedForward", (2,), (Call(x),)) for x in POINTS)
PROBES = tuple(probe for pair in zip(FAULTY, SOUND) for probe in pair)  # every fault has a sound question after it

ENDLESS = ("while True: pass", "time.sleep(600)", "threading.Event().wait()", "os.read(os.pipe()[0], 1)")
DEADLY = {
    "os._exit(0)": "exit status 0",
    "os._exit(7)": "exit status 7",
    "__import__('ctypes').string_at(0)": "SIGSEGV",
    "os.closerange(0, 256)": "",
    "[os.write(1, bytes(2**16)) for _ in iter(int, 1)]": "",
}


def asked(folder: Path, top: str = "", body: str = "", limits: Limits = USUAL, **how: Any) -> Transcript:
    """What is observed of a file with these lines at import and in LayerNorm.forward."""
    path = folder / "transformer_block.py"
    path.write_text(FILE.format(top=top, body=body), encoding="utf-8")
    return observe(read(path), PROBES, GIVEN, limits, **how)


def numbers(transcript: Transcript, probes: Sequence[Probe]) -> list[object]:
    """The numbers of every answer to these probes."""
    return [answer.numbers for probe in probes for answer in transcript.observations[probe].answers]


def tripled(transcript: Transcript) -> bool:
    """Whether the sound component has all its answers."""
    return numbers(transcript, SOUND) == [tuple(3 * v for v in x) for x in POINTS]


def faults(transcript: Transcript, probes: Sequence[Probe] = FAULTY) -> list[tuple[str, str | None]]:
    """Outcome and type of the fault for each of these probes."""
    seen: list[Observation] = [transcript.observations[probe] for probe in probes]
    return [(one.outcome, one.fault.type if one.fault else None) for one in seen]
