"""Remembers in a folder what the reference and known mistakes answered, for all processes of a run and the next run.

Only ever used for the kit's own code, and only within one version of the kit: the folder bears its digest.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from grader.expectations import Observe
from grader.forms import BadForm, from_form, loads, to_form
from grader.records import Observation, Probe, Submission, Transcript
from grader.writing import write_whole


@dataclass(frozen=True)
class Remembered:
    """The answers to some probes, in their order."""

    observations: tuple[Observation, ...]


@cache
def digest(probe: Probe) -> str:
    """A probe's name in a store."""
    return hashlib.sha256(json.dumps(to_form(probe)).encode("ascii")).hexdigest()[:20]


def remembering(observe: Observe, folder: Path) -> Observe:
    """``observe`` with a memory. What a busy machine may have spoiled (time, memory) is not remembered."""

    def recall(submission: Submission, probes: Sequence[Probe]) -> Transcript:
        asked = " ".join((submission.sha256, *map(digest, probes)))
        path = folder / f"{hashlib.sha256(asked.encode('ascii')).hexdigest()[:32]}.json.z"
        known = _known(path)
        if known is not None and len(known) == len(probes):
            return Transcript(dict(zip(probes, known)))
        seen = observe(submission, probes)
        found = tuple(seen.observations[probe] for probe in probes)
        if all(one.outcome in ("answered", "raised") for one in found):
            write_whole(path, zlib.compress(json.dumps(to_form(Remembered(found))).encode("ascii"), 1))
        return seen

    return recall


def _known(path: Path) -> tuple[Observation, ...] | None:
    """What is remembered there, None for nothing and for what cannot be read."""
    try:
        return from_form(Remembered, loads(zlib.decompress(path.read_bytes()))).observations
    except (OSError, zlib.error, BadForm):
        return None
