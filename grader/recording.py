"""Writes the numbers that a student bundle grades with: `python -m grader.recording`, after a change of what is asked.

Numbers only, no code: the readings' answers to the probes that are compared, and fingerprints of misconceptions.
"""

from __future__ import annotations

import gzip
import json
from functools import partial
from itertools import product
from typing import Any

from grader.diagnosis import Fingerprint, Signature, is_hidden
from grader.expectations import (
    BLOCKS,
    PUBLIC_SEED,
    RECORDED,
    Expectations,
    Observe,
    blocks_digest,
    compared,
    plan_digest,
)
from grader.kit import Kit
from grader.own_parts import ask, matched
from grader.readings import EVERY, Reading, blocks
from grader.records import Component, GraderFault, Observation
from grader.sandbox import given_code, observe
from grader.writing import write_whole

DIGITS = 12  # of expected numbers: they are compared to 1e-9
BRIEF = 7  # of fingerprints: they are compared to 1e-6
ALL, NONE = (True, True, True), (False, False, False)
USUAL_ATTENTION = {  # whose mistakes are named without asking: reach, inner, inner_bias, out_bias, q, k, v
    *(("all", False, False, out, *biases) for out in ("one", "none", "each") for biases in (ALL, NONE)),
    *(("all", False, False, "one", *biases) for biases in product((True, False), repeat=3)),
    *((reach, False, False, out, *ALL) for reach in ("slice", "stride") for out in ("one", "none")),
    *((reach, False, False, "one", *NONE) for reach in ("slice", "stride")),
    *((reach, True, True, "one", *ALL) for reach in ("all", "slice", "stride")),
}


def record(kit: Kit) -> dict[str, Any]:
    """Ask every reading what is compared, and every misconception what tells it apart."""
    if kit.solution is None:
        raise GraderFault("there is no solution here to record")
    asked = Expectations(kit.solution, PUBLIC_SEED, _observing(kit), recorded=False)
    expected = _expected(asked, PUBLIC_SEED)
    prints: dict[str, Any] = {}
    for component, readings in EVERY.items():
        usual = {i: r for i, r in enumerate(readings) if is_usual(component, r)}
        asked.ask_library(component, list(usual.values()))
        prints[component] = {
            str(i): json.dumps(_brief(asked.fingerprints(component, r)), separators=(",", ":"))
            for i, r in usual.items()
        }  # text within the text: a check reads the one that it needs
    texts = [{k: v for k, v in m.__dict__.items() if k != "code"} for m in asked.library]
    return {
        "seed": PUBLIC_SEED,
        "plan": plan_digest(PUBLIC_SEED),
        "expected": expected,
        "misconceptions": texts,
        "fingerprints": prints,
    }


def record_private(kit: Kit, seed: int) -> dict[str, Any]:
    """The same for another seed, without what names mistakes: that is asked with the public one."""
    asked = Expectations(kit.solution, seed, _observing(kit), recorded=False)
    expected = _expected(asked, seed)
    return {"seed": seed, "plan": plan_digest(seed), "expected": expected, "misconceptions": [], "fingerprints": {}}


def _expected(asked: Expectations, seed: int) -> dict[str, Any]:
    """By component and reading, the answers to what is compared."""
    found: dict[str, Any] = {}
    for component, probes in compared(seed).items():
        asked.expect((probe, reading) for probe in probes for reading in EVERY[component])
        found[component] = {
            str(i): [_answers(asked.expected[probe, reading]) for probe in probes]
            for i, reading in enumerate(EVERY[component])
        }
    return found


def record_blocks(kit: Kit, seed: int) -> dict[str, Any]:
    """Ask every reading of a block with parts of its own; equal answers, of which there are many, are kept once."""
    asked = Expectations(kit.solution, seed, _observing(kit), recorded=False)
    probes = matched(ask(seed))
    asked.expect((probe, reading) for reading in blocks() for probe in probes)
    each = [[_answers(asked.expected[probe, reading]) for probe in probes] for reading in blocks()]
    texts = [json.dumps(answers) for answers in each]
    place = {text: i for i, text in enumerate(dict.fromkeys(texts))}
    return {
        "seed": seed,
        "plan": blocks_digest(seed),
        "answers": [json.loads(text) for text in place],
        "readings": [place[text] for text in texts],
    }


def is_usual(component: Component, reading: Reading) -> bool:
    """Whether hand-ins of this reading are common enough to carry its fingerprints about."""
    return component != "MultiHeadAttention" or tuple(dict(reading.options).values()) in USUAL_ATTENTION


def _answers(seen: Observation) -> list[Any]:
    return [_numbers(answer.numbers) for answer in seen.answers]


def _numbers(numbers: Any) -> Any:
    if isinstance(numbers[0], tuple):
        rows = [[_cut(v, DIGITS) for v in row] for row in numbers]
        return [row[:1] if len(set(row)) == 1 else row for row in rows]
    return [_cut(v, DIGITS) for v in numbers]


def _brief(prints: dict[str, Fingerprint]) -> dict[str, Any]:
    """Answers, and the weights' gradients of those whose answers tell nothing."""
    return {
        name: [_short(mark.answers), _short(mark.weights) if is_hidden(mark, prints) else []]
        for name, mark in prints.items()
    }


def _short(found: Signature) -> list[str | float]:
    return [v if isinstance(v, str) else _cut(v, BRIEF) if abs(v) > 1.0 else round(v, BRIEF - 1) for v in found]


def _cut(value: float, digits: int) -> float:
    return float(f"{value:.{digits}g}")


def _observing(kit: Kit) -> Observe:
    return partial(observe, given=given_code(kit.exercise), require="process", apply="process")


def packed(recorded: dict[str, Any]) -> bytes:
    """Recorded numbers as the file that holds them."""
    return gzip.compress(json.dumps(recorded, separators=(",", ":")).encode("ascii"), mtime=0)


def main() -> None:
    """Record and write the files beside this module."""
    kit = Kit.here()
    write_whole(RECORDED, packed(record(kit)))
    write_whole(BLOCKS, packed(record_blocks(kit, PUBLIC_SEED)))


if __name__ == "__main__":
    main()
