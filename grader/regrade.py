"""Judges a run again after a change of rubric or judgement, from what was observed; nobody's code runs."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from grader.classroom import STORE, registered, standings_in, taken
from grader.cohort import Casualty, Cohort, HandIn, Key, Place, Show, Standing, standing
from grader.digests import kit_digest
from grader.entry import Entry
from grader.forms import to_form
from grader.isolation import Level
from grader.kit import Kit
from grader.marking import Means, Review, judge_again, means_of
from grader.pool import Gone, Pool, clock
from grader.records import UsageError
from grader.store import Store

BUDGET = 600.0  # seconds for one hand-in


@dataclass(frozen=True)
class Step:
    """One check whose points changed for one student, from what to what."""

    check: str
    before: int
    after: int
    statuses: tuple[str, str]


@dataclass(frozen=True)
class Move:
    """One student whose score, or whose points in some check, changed."""

    hand_in: HandIn
    before: int
    after: int
    steps: tuple[Step, ...]


@dataclass(frozen=True)
class Regraded:
    """Everyone's standing now, and who moved."""

    cohort: Cohort
    moves: tuple[Move, ...]


def regrade(run: Path, kit: Kit, jobs: int, show: Show, ask: bool = False, require: Level | None = None) -> Regraded:
    """Judge every stored result with the kit as it is now, and keep the new results beside the old.

    Raises UsageError when answers are needed that are not stored, and ``ask`` does not allow to ask for them; then
    nothing is written.
    """
    started, register, digest = clock(), registered(run), kit_digest(kit)
    with Store(run / STORE, write=True) as store:
        before = {place.hand_in: found for place in register.places if (found := _last(store, place))}
        todo = _todo(store, register.places, digest)

        means = means_of(kit, run, require)

        def message(key: Key) -> bytes:
            return _review(store, key, means, ask)

        pool = Pool(judge_again, message, lambda key: key.seed, jobs, BUDGET)
        answers: dict[Key, bytes | Gone] = {}
        for done, (key, answer) in enumerate(pool.run(todo), 1):
            answers[key] = answer
            show(done, len(todo))
        _refuse_what_is_new(answers)
        faults = {key: fault for key in todo if (fault := taken(store, answers[key]))}
        after = standings_in(store, register.places, digest)
    keys = [(place.hand_in, Key(place.digest, digest, place.seed)) for place in register.places]
    casualties = tuple(Casualty(hand_in, faults[key]) for hand_in, key in keys if key in faults)
    cohort = Cohort(after, casualties, register.troubles, 0, clock() - started)
    return Regraded(cohort, _moves(before, after))


def _last(store: Store, place: Place) -> Standing | None:
    line = store.latest(place.digest, place.seed)
    return standing(place, line.report) if line else None


def _todo(store: Store, places: tuple[Place, ...], digest: str) -> list[Key]:
    """What has observations and no result of this kit yet, each file once."""
    keys = dict.fromkeys(Key(place.digest, digest, place.seed) for place in places)
    return [key for key in keys if key not in store and store.evidence(key.hand_in, key.seed)]


def _review(store: Store, key: Key, means: Means, ask: bool) -> bytes:
    line: Entry | None = store.evidence(key.hand_in, key.seed)
    assert line is not None
    return json.dumps(to_form(Review(line, key, means, ask))).encode("ascii")


def _refuse_what_is_new(answers: dict[Key, bytes | Gone]) -> None:
    unasked = [json.loads(a[1:]) for a in answers.values() if isinstance(a, bytes) and a.startswith(b"?")]
    if unasked:
        names = ", ".join(name for name, _ in Counter(name for names in unasked for name in names).most_common(5))
        raise UsageError(
            f"{len(unasked)} of {len(answers)} hand-ins cannot be judged from what is stored: questions are new or "
            f"different in {names}. Nothing was changed. With --ask these questions, and only these, are put to the "
            "stored hand-ins, which runs their code"
        )


def _moves(before: dict[HandIn, Standing], after: tuple[Standing, ...]) -> tuple[Move, ...]:
    pairs = ((before[now.hand_in], now) for now in after if now.hand_in in before)
    moves = (Move(now.hand_in, then.score, now.score, _steps(then, now)) for then, now in pairs)
    return tuple(move for move in moves if move.steps)


def _steps(then: Standing, now: Standing) -> tuple[Step, ...]:
    old, new = ({mark.id: mark for mark in one.marks} for one in (then, now))
    steps = []
    for check in dict.fromkeys((*new, *old)):
        a, b = old.get(check), new.get(check)
        points = (a.points if a else 0, b.points if b else 0)
        if points[0] != points[1]:
            statuses = (a.status if a else "not there", b.status if b else "taken out")
            steps.append(Step(check, *points, statuses))
    return tuple(steps)


def told(done: Regraded) -> str:
    """Who moved, by how much and why, for people."""
    count = len(done.cohort.standings)
    heading = f"Judged {count} hand-ins again in {done.cohort.seconds:.1f} s; {len(done.moves)} moved.\n"
    lines = [_move(move) for move in sorted(done.moves, key=lambda m: (m.after - m.before, m.hand_in.student))]
    failed = [
        f"{one.hand_in.student}: not judged, the old result stands: {one.text}\n" for one in done.cohort.casualties
    ]
    return "".join([heading, *lines, *failed])


def _move(move: Move) -> str:
    steps = "; ".join(
        f"{step.check} {step.before} -> {step.after}"
        + (f" ({' -> '.join(step.statuses)})" if step.statuses[0] != step.statuses[1] else f" ({step.statuses[1]})")
        for step in move.steps
    )
    return f"  {move.hand_in.student}: {move.before} -> {move.after} ({move.after - move.before:+d}): {steps}\n"
