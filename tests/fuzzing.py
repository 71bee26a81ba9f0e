"""Broken hand-ins and replies by the number: bytes for the intake, lines and forms for the parser and the judges.

``python -m tests.fuzzing [--cases N] [--first N]`` tries N cases and says what broke. A case is made from its number
alone, so a finding can be had again with ``--first NUMBER --cases 1``; nothing is kept but the findings.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from typing import Any

from grader.forms import BadForm, from_form, loads, to_form
from grader.grading import Grader
from grader.kit import Kit
from grader.records import COMPONENTS, Fault, Observation, Probe, Report, Submission, Transcript
from grader.render import RENDERERS
from grader.render.terminal import render
from grader.replies import observation_in
from grader.rubric import RUBRIC
from grader.submission import from_bytes, read
from tests.fuzz_material import code, junk, notebook, raw_bytes, torn, worsened
from tests.hand_ins import ROOT

MOST_FINDINGS = 20
LINES = [check.id for check in RUBRIC]
SOURCES = ("solution/transformer_block.py", "tests/submissions/wrong/*.py", "tests/submissions/right/*.py")
GARBLED = Observation("died", Fault("forward", "Garbled", "its answers were not in the worker's form", None, None))
Rng = random.Random


@cache
def grader() -> Grader:
    """One grader for all cases, for what it expects is found once."""
    return Grader(Kit.here())


@cache
def hand_in(number: int) -> Submission:
    """One of a few real hand-ins, right and wrong ones."""
    paths = [path for pattern in SOURCES for path in sorted(ROOT.glob(pattern))[:: 1 + 12 * ("wrong" in pattern)][:5]]
    return read(paths[number % len(paths)])


@cache
def _real(number: int) -> dict[Probe, str]:
    return {}


def real(number: int, probes: Sequence[Probe]) -> dict[Probe, str]:
    """What a real hand-in answers, as the text of its replies; asked once."""
    known = _real(number)
    missing = [probe for probe in probes if probe not in known]
    if missing:
        seen = grader().observe(hand_in(number), missing).observations
        known.update((probe, json.dumps(to_form(seen[probe]))) for probe in missing)
    return {probe: known[probe] for probe in probes}


def judged(number: int, change: Callable[[Probe, str], str], draw: bool = False) -> Report:
    """The report on a real hand-in whose replies arrive changed, through the parser and past the shape of a reply."""

    def arriving(probe: Probe, text: str) -> Observation:
        changed = change(probe, text)
        return unchanged(probe, text) if changed is text else received(probe, changed)

    def observe(_: Submission, probes: Sequence[Probe]) -> Transcript:
        return Transcript({probe: arriving(probe, text) for probe, text in real(number, probes).items()})

    return grader().grade(hand_in(number), observe=observe, draw=draw)


def dumped(value: Any) -> bytes:
    """A value in JSON as any program may write it, NaN and lone surrogates included."""
    return json.dumps(value).encode("ascii")


def received(probe: Probe, text: str) -> Observation:
    """A reply as the grader takes it: what is of no use counts as a worker that was lost."""
    try:
        return observation_in(loads(text), probe)
    except BadForm:
        return GARBLED


unchanged = cache(received)


def check_intake(rng: Rng) -> None:
    """Bytes of a file: text, or one sentence about what is wrong with it."""
    make = rng.choice((raw_bytes, raw_bytes, notebook, lambda r: code(r).encode("utf-8", "surrogatepass")))
    name = rng.choice(("transformer_block.py", "mine.ipynb", "mine.ipynb", "\udcff.py", ""))
    got = from_bytes(name, make(rng))
    assert (got.text is None) != (got.trouble is None), "neither text nor trouble"
    assert got.trouble is None or (got.trouble[:1].isupper() and got.trouble[-1] in ".?"), got.trouble
    json.dumps(to_form(got)).encode("ascii")
    got.name.encode("utf-8")


def check_line(rng: Rng) -> None:
    """One line from a worker: a record that can be written down again, or BadForm and nothing else."""
    number = rng.randrange(3)
    probe, text = rng.choice([*real(number, planned()).items()])
    try:
        seen = observation_in(loads(torn(rng, text) if rng.random() < 0.7 else json.dumps(junk(rng))), probe)
    except BadForm:
        return
    again = json.loads(json.dumps(to_form(seen), allow_nan=False))
    assert from_form(Observation, again) == seen, "a record that changes on its way"


def check_judging(rng: Rng) -> None:
    """A hand-in with replies changed in places, and those of one component destroyed: a report, nothing for that."""
    share = rng.choice((0.02, 0.1, 0.5, 1.0))
    destroyed = rng.choice((None, None, *COMPONENTS))

    def change(probe: Probe, text: str) -> str:
        if probe.component == destroyed:
            return json.dumps(junk(rng)) if rng.random() < 0.5 else text[: rng.randrange(len(text))]
        return worsened(rng, text) if rng.random() < share else text

    report = judged(rng.randrange(11), change, draw=rng.random() < 0.2)
    check_report(report)
    assert destroyed is None or not any(r.points for r in report.of(destroyed)), f"points for {destroyed}"
    if rng.random() < 0.1:
        assert all(renderer(report) for renderer in (*RENDERERS.values(), render))


def check_report(report: Report) -> None:
    """Every line of the rubric once and in order, with points that its status earns, and all of it can be written."""
    assert [result.id for result in report.results] == LINES, "not every line of the rubric"
    for result in report.results:
        assert result.points == (result.max_points if result.status == "passed" else 0), result.id
        assert (result.message == "") == (result.status == "passed"), result.id
    json.dumps(to_form(report), allow_nan=False).encode("utf-8")


@cache
def planned() -> tuple[Probe, ...]:
    """The questions of the rubric."""
    return tuple(dict.fromkeys(probe for check in RUBRIC for probe in check.ask(0)))


KINDS: Mapping[str, tuple[Callable[[Rng], None], int]] = {
    "intake": (check_intake, 5), "line": (check_line, 4), "judging": (check_judging, 1)
}  # fmt: skip


def run(kind: str, number: int) -> str | None:
    """What broke in one case, None when nothing did."""
    try:
        KINDS[kind][0](random.Random(f"{kind} {number}"))
    except Exception:  # noqa: BLE001  # whatever it is, it is the finding
        return traceback.format_exc(limit=-6)
    return None


def main(arguments: Sequence[str] | None = None) -> int:
    """Try as many cases as asked for; status 1 when anything broke."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzzing", description=__doc__)
    parser.add_argument("--cases", type=int, default=10_000, help="how many (default: %(default)s)")
    parser.add_argument("--first", type=int, default=0, help="the first case's number (default: %(default)s)")
    chosen = parser.parse_args(arguments)
    turns = [kind for kind, (_, share) in KINDS.items() for _ in range(share)]
    started, findings, counts = time.monotonic(), 0, dict.fromkeys(KINDS, 0)
    say = partial(print, file=sys.stderr)
    for done, number in enumerate(range(chosen.first, chosen.first + chosen.cases), 1):
        kind = turns[number % len(turns)]
        counts[kind] += 1
        broke = run(kind, number)
        if broke:
            findings += 1
            if findings <= MOST_FINDINGS:
                say(f"case {number} ({kind}):\n{broke}")
        if done % 5000 == 0:
            say(f"{done:,} cases, {time.monotonic() - started:.0f} s, {findings} findings")
    told = ", ".join(f"{count:,} {kind}" for kind, count in counts.items())
    told = f"{chosen.cases:,} cases ({told}), {time.monotonic() - started:.0f} seconds, {findings} findings"
    sys.stdout.write(f"{told}\n")
    return 1 if findings else 0


if __name__ == "__main__":
    raise SystemExit(main())
