"""The audit's long mode: gradient checks of right hand-ins under thousands of seeds; it goes on where it stopped."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.audit import Unnamed
from grader.checks.contract import fitting
from grader.checks.evidence import Evidence
from grader.corpus import Case
from grader.forms import BadForm, from_form, loads, to_form
from grader.judging import judge
from grader.kit import Kit
from grader.progress import Progress
from grader.records import COMPONENTS, Result, Submission, UsageError
from grader.rubric import RUBRIC, plan
from grader.sandbox import given_code, observe
from grader.spread import spread
from grader.submission import read

CHECKS = tuple(check for check in RUBRIC if check.property == "gradient")
AT_ONCE = 4  # seeds for one worker, which keeps every graph


@dataclass(frozen=True)
class Stretch:
    """A right hand-in and the seeds to grade it with."""

    kit: Kit
    path: Path
    seeds: tuple[int, ...]


@dataclass(frozen=True)
class Flake:
    """A gradient check that took points from a right hand-in."""

    name: str
    seed: int
    check: str
    message: str


@dataclass(frozen=True)
class Stretched:
    """What became of a stretch: how many grades, and which lines took points."""

    name: str
    seeds: tuple[int, ...]
    flakes: tuple[Flake, ...]


def stretches(kit: Kit, cases: Sequence[Case], grades: int, first: int) -> list[Stretch]:
    """At least ``grades`` grades, spread evenly over the right hand-ins, a few seeds at a time."""
    right = [case.path for case in cases if case.kind == "right"]
    each = -(-grades // max(1, len(right)))
    starts = range(first, first + each, AT_ONCE)
    return [Stretch(kit, p, tuple(range(s, min(s + AT_ONCE, first + each)))) for s in starts for p in right]


def begin(
    kit: Kit, cases: Sequence[Case], grades: int, first: int, notes: Path
) -> tuple[list[Stretched], list[Stretch]]:
    """What an earlier run has noted of this, and what is left to do."""
    wanted = {(s.path.stem, s.seeds): s for s in stretches(kit, cases, grades, first)}
    try:
        notes.parent.mkdir(parents=True, exist_ok=True)
        noted = {(done.name, done.seeds): done for done in _noted(notes, _key(cases))}
    except OSError as error:
        raise UsageError(f"cannot use {notes}: {error.strerror}") from None
    return [noted[k] for k in wanted if k in noted], [stretch for k, stretch in wanted.items() if k not in noted]


def search(todo: Sequence[Stretch], jobs: int, notes: Path) -> Iterator[tuple[Stretched, Progress]]:
    """Grade what ``notes`` does not hold yet, and note each stretch there as soon as it is done."""
    try:
        with notes.open("a", encoding="utf-8") as file:
            for done, progress in spread(stretch, todo, jobs):
                file.write(json.dumps(to_form(done)) + "\n")
                file.flush()
                yield done, progress
    except OSError as error:
        raise UsageError(f"cannot write {notes}: {error.strerror}") from None


def told(done: Sequence[Stretched], as_json: bool) -> str:
    """How many grades and which flakes, in words or as JSON."""
    found = [flake for stretched in done for flake in stretched.flakes]
    grades = sum(len(stretched.seeds) for stretched in done)
    hand_ins = len({stretched.name for stretched in done})
    if as_json:
        form = {"schema": 1, "grades": grades, "hand_ins": hand_ins, "flakes": to_form(found)}
        return json.dumps(form, indent=1, ensure_ascii=False) + "\n"
    lines = [f"{flake.name}, seed {flake.seed}, {flake.check}: {flake.message}" for flake in found]
    lines.append(f"{grades} grades of {hand_ins} right hand-ins: {len(found) or 'no'} flakes of the gradient checks")
    return "\n".join(lines) + "\n"


def _noted(notes: Path, key: str) -> list[Stretched]:
    """What an earlier run under the same key left; under another key it is put aside and the notes begin anew."""
    lines = notes.read_text(encoding="utf-8").splitlines() if notes.exists() else []
    if lines[:1] == [key]:
        return [done for line in lines[1:] if (done := _stretched(line))]
    if lines:
        notes.replace(notes.with_suffix(".old"))
    notes.write_text(f"{key}\n", encoding="utf-8")
    return []


def _key(cases: Sequence[Case]) -> str:
    """Changes with the grader and with every right hand-in."""
    sources = sorted(Path(__file__).parent.rglob("*.py"))
    texts = [path.read_bytes() for path in (*sources, *(case.path for case in cases if case.kind == "right"))]
    return hashlib.sha256(b"\0".join(texts)).hexdigest()


def stretch(task: Stretch) -> Stretched:
    """Ask for the gradients of all seeds at once. What takes points is graded again by the whole grader."""
    submission = read(task.path)
    plans = {seed: plan(seed, CHECKS) for seed in task.seeds}
    probes = list(dict.fromkeys(p for checks in plans.values() for asked in checks.values() for p in asked))
    seen = observe(submission, probes, given_code(task.kit.exercise)).observations
    flakes: list[Flake] = []
    for seed, checks in plans.items():
        own = {probe: seen[probe] for asked in checks.values() for probe in asked}
        evidence = Evidence(own, {}, {component: fitting(component, own) for component in COMPONENTS})
        if _lost(judge(checks, evidence, submission)):
            flakes += _confirmed(task.kit, submission, seed)
    return Stretched(task.path.stem, task.seeds, tuple(flakes))


def _confirmed(kit: Kit, submission: Submission, seed: int) -> list[Flake]:
    """The lines that the grader itself fails: it knows of blocks that stand-ins do not reach."""
    results = Unnamed(kit, seed, CHECKS).grade(submission).results
    return [Flake(submission.name, seed, r.id, r.message) for r in _lost(results)]


def _lost(results: Sequence[Result]) -> list[Result]:
    return [result for result in results if result.status != "passed"]


def _stretched(line: str) -> Stretched | None:
    """A noted stretch, None for a line that was cut short."""
    try:
        return from_form(Stretched, loads(line))
    except BadForm:
        return None
