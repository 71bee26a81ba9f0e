"""What the reference answered is asked once for all processes of a run, and only what is sure is remembered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from grader.recollection import digest, remembering
from grader.records import Answer, Call, Observation, Probe, Submission, Transcript

PROBES = tuple(Probe("LayerNorm", (2,), (Call((x, 1.0)),)) for x in (0.5, 1.5))
READINGS = Submission("readings.py", "ab" * 32, "x = 1\n")
SEEN = Observation("answered", answers=(Answer((0.1, 0.2), "a list", False, True),), seconds=0.5)


class Asked:
    """Answers every probe alike, and counts how often it was asked."""

    def __init__(self, seen: Observation) -> None:
        self.seen, self.times = seen, 0

    def __call__(self, submission: Submission, probes: Sequence[Probe]) -> Transcript:
        self.times += 1
        return Transcript(dict.fromkeys(probes, self.seen))


def test_what_is_known_is_not_asked_again(tmp_path: Path) -> None:
    """Another process with the same folder has the very same answers."""
    asked = Asked(SEEN)
    answers = [remembering(asked, tmp_path)(READINGS, PROBES).observations for _ in range(3)]
    assert asked.times == 1 and answers == [dict.fromkeys(PROBES, SEEN)] * 3


@pytest.mark.parametrize(
    ("submission", "probes"),
    [(replace(READINGS, sha256="cd" * 32), PROBES), (READINGS, PROBES[:1]), (READINGS, PROBES[::-1])],
)  # fmt: skip
def test_another_text_or_other_questions_are_asked(
    tmp_path: Path, submission: Submission, probes: tuple[Probe, ...]
) -> None:
    """Nothing is taken for something else."""
    asked = Asked(SEEN)
    remembering(asked, tmp_path)(READINGS, PROBES)
    remembering(asked, tmp_path)(submission, probes)
    assert asked.times == 2


@pytest.mark.parametrize("outcome", ["timeout", "memory", "died", "unloadable", "blocked"])
def test_what_a_busy_machine_may_have_spoiled_is_asked_again(tmp_path: Path, outcome: str) -> None:
    """A time-out of the reference says nothing about the next run."""
    asked = Asked(replace(SEEN, outcome=outcome))  # type: ignore[arg-type]  # one of the outcomes
    for _ in range(2):
        remembering(asked, tmp_path)(READINGS, PROBES)
    assert asked.times == 2 and list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("damage", [b"", b"no zlib", b"x\x9c\x03\x00\x00\x00\x00\x01"])
def test_a_damaged_memory_is_asked_again(tmp_path: Path, damage: bytes) -> None:
    """And put right."""
    asked = Asked(SEEN)
    remembering(asked, tmp_path)(READINGS, PROBES)
    (path,) = tmp_path.iterdir()
    path.write_bytes(damage)
    for _ in range(2):
        assert remembering(asked, tmp_path)(READINGS, PROBES).observations == dict.fromkeys(PROBES, SEEN)
    assert asked.times == 2


def test_probes_have_names_of_their_own() -> None:
    """Equal ones the same, others another."""
    assert digest(PROBES[0]) == digest(replace(PROBES[0])) != digest(PROBES[1])
