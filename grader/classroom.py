"""Grades a class: everyone's file once, in parallel, into a store that survives any interruption."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from grader.cluster import crew
from grader.cohort import Casualty, Cohort, HandIn, Key, Place, Register, Show, Standing, standing
from grader.digests import kit_digest
from grader.entry import unpacked
from grader.forms import BadForm, from_form, loads, to_form
from grader.isolation import Level
from grader.kit import Kit
from grader.listing import Listing, listing
from grader.marking import Means, Order, full_report, grade, means_of
from grader.pool import Gone, clock
from grader.records import GraderFault, Notice, Report, Submission, UsageError
from grader.roster import find
from grader.seeds import Seeds
from grader.store import Store
from grader.submission import from_bytes
from grader.writing import write_whole

STORE, REGISTER = "results.jsonl", "register.json"


@dataclass(frozen=True)
class Settings:
    """How a run is done: in ``jobs`` processes here, or on a Dask ``cluster``; ``budget``: seconds for one hand-in."""

    jobs: int
    require: Level | None = None
    seeds: Seeds = field(default_factory=Seeds)
    assignment: str | None = None
    budget: float = 600.0
    cluster: str | None = None


class Classroom:
    """One run: a source of hand-ins and the folder that keeps the results."""

    def __init__(self, source: Path, run: Path, settings: Settings, kit: Kit) -> None:
        self.run, self._settings, self._kit = run, settings, kit
        self._listing: Listing = listing(source)
        self._digest = kit_digest(kit)
        if kit.solution is None and settings.seeds != Seeds():
            raise UsageError("other seeds than the public one need the full kit: there is no solution/ here to ask")
        if run.resolve().is_relative_to(source.resolve()):
            raise UsageError(f"{run} lies in {source}, and would be taken for a hand-in; give another --output")
        self._source = source

    def grade(self, show: Show) -> Cohort:
        """Grade what is not in the store yet. Raises GraderFault when nothing can be graded at all."""
        started = clock()
        roster = find(self._listing, self._settings.assignment)
        places, unread = self._registered(roster.hand_ins)
        make_folder(self.run)
        with Store(self.run / STORE, write=True) as store:
            register = Register(str(self._source.resolve()), tuple(places), roster.troubles)
            write_whole(self.run / REGISTER, json.dumps(to_form(register), indent=1) + "\n")
            keys = {place.hand_in: self._key(place) for place in places}
            todo: dict[Key, Place] = {}
            for place in places:
                if keys[place.hand_in] not in store:
                    todo.setdefault(keys[place.hand_in], place)
            failed = self._graded(store, todo, show)
            standings = standings_in(store, places, self._digest)
        why = {**{hand_in: failed.get(key) for hand_in, key in keys.items()}, **unread}
        casualties = tuple(Casualty(hand_in, text) for hand_in in roster.hand_ins if (text := why[hand_in]))
        return Cohort(standings, casualties, roster.troubles, len(todo) - len(failed), clock() - started)

    def _registered(self, hand_ins: Iterable[HandIn]) -> tuple[list[Place], dict[HandIn, str]]:
        """Digest and seed of every file that can be read."""
        places, lost = [], {}
        for hand_in in hand_ins:
            try:
                digest = digest_of(self._read(hand_in))
                places.append(Place(hand_in, digest, self._settings.seeds.of(digest)))
            except UsageError as error:
                lost[hand_in] = str(error)
        return places, lost

    def _read(self, hand_in: HandIn) -> Submission:
        return from_bytes(hand_in.origin.rpartition("/")[2], self._listing.read(hand_in.origin))

    def _key(self, place: Place) -> Key:
        return Key(place.digest, self._digest, place.seed)

    def _graded(self, store: Store, todo: dict[Key, Place], show: Show) -> dict[Key, str]:
        """Fill the store; returns why for what the grader failed on."""
        settings = self._settings
        means = means_of(self._kit, self.run, settings.require)

        def message(key: Key) -> bytes | Gone:
            return self._order(todo[key], key, means)

        workers = crew(settings.cluster, grade, message, lambda key: key.seed, settings.jobs, settings.budget)
        failed = {}
        for done, (key, answer) in enumerate(workers.run(list(todo)), 1):
            if fault := taken(store, answer):
                failed[key] = fault
            show(done, len(todo))
        return failed

    def _order(self, place: Place, key: Key, means: Means) -> bytes | Gone:
        try:
            submission = self._read(place.hand_in)
        except UsageError as error:
            return Gone(str(error))
        if digest_of(submission) != place.digest:
            return Gone("the file was changed while the class was graded; run again")
        return json.dumps(to_form(Order(submission, key, means))).encode("ascii")


def taken(store: Store, answer: bytes | Gone) -> str | None:
    """Put an answer in the store, or say why there is none. Raises GraderFault for what would fail on every file."""
    if isinstance(answer, Gone):
        return answer.text
    kind, rest = answer[:1], answer[1:]
    if kind == b"!":
        raise GraderFault(rest.decode())
    if kind == b"-":
        return rest.decode()
    store.append(rest)
    return None


def digest_of(submission: Submission) -> str:
    """The file's digest and kind: a notebook is read in another way than the same bytes as a .py file."""
    return submission.sha256 + (".ipynb" if submission.name.endswith(".ipynb") else ".py")


def make_folder(run: Path) -> None:
    """A folder that only its owner may enter: it holds marks and seeds."""
    try:
        run.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"cannot make {run}: {error.strerror}") from None


def registered(run: Path) -> Register:
    """Who is in a run. Raises UsageError when there is no run."""
    try:
        return from_form(Register, loads((run / REGISTER).read_bytes()))
    except OSError as error:
        raise UsageError(f"{run} is not the folder of a run: {REGISTER} cannot be read ({error.strerror})") from None
    except BadForm as error:
        raise UsageError(f"{run / REGISTER} is damaged: {error}; run `grader class` again") from None


def standings_in(store: Store, places: Iterable[Place], kit: str) -> tuple[Standing, ...]:
    """Where everyone stands who has a result of this kit."""
    kept = ((place, Key(place.digest, kit, place.seed)) for place in places)
    return tuple(standing(place, store[key].report) for place, key in kept if key in store)


def reports(run: Path, kit: str) -> Iterator[tuple[HandIn, Report]]:
    """Everyone's report, under the file's own name and with what was said about finding it."""
    with Store(run / STORE) as store:
        for place in registered(run).places:
            key, basis = Key(place.digest, kit, place.seed), store.evidence(place.digest, place.seed)
            if key in store and basis:
                yield place.hand_in, _own(full_report(store[key], unpacked(basis)), place.hand_in)


def _own(report: Report, hand_in: HandIn) -> Report:
    submission = replace(report.submission, name=hand_in.origin.rpartition("/")[2])
    notices = tuple(Notice(None, text) for text in hand_in.notices)
    return replace(report, submission=submission, notices=(*notices, *report.notices))
