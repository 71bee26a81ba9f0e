"""Grades one submission where Gradescope puts it, and keeps results.json valid and whole from the first second on.

The folders are those of Gradescope's autograder specification: source/, submission/ and results/ below one root.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from grader.cohort import HandIn
from grader.forms import BadForm, from_form, loads
from grader.grading import Grader
from grader.isolation import Level
from grader.kit import Kit
from grader.listing import Archive, Folder, Listing
from grader.records import COMPONENTS, GraderFault, Notice, Observation, Probe, Report, Submission, Transcript
from grader.render.gradescope import Visibility, placeholder, render, said_of_fault, unfinished
from grader.roster import of_one
from grader.rubric import RUBRIC
from grader.submission import from_bytes
from grader.writing import write_whole

STUDENT = "submission"
LONGEST = 2**24  # bytes of metadata: it holds the results of every earlier submission


@dataclass(frozen=True)
class Settings:
    """What the instructor chose when the autograder was built: source/settings.json."""

    seed: int = 0
    tiers: tuple[tuple[str, Visibility], ...] = ()
    require: Level | None = None


def autograde(root: Path, kit: Kit) -> str:
    """Grade what is in ``root``; returns a line for the instructor, who alone sees it.

    Raises what the grader broke on, after saying so in results.json without taking the mark the student had.
    """
    results = root / "results" / "results.json"
    results.parent.mkdir(exist_ok=True)
    kept = last_score(root / "submission_metadata.json")
    write_whole(results, placeholder(score=kept))
    try:
        settings = _settings(root / "source" / "settings.json")
        found = submitted(root / "submission")
        if isinstance(found, str):
            write_whole(results, placeholder(f"Nothing was graded: {found}"))
            return f"not graded: {found}"
        report = _graded(found, kit, settings, results, kept)
    except Exception as error:
        write_whole(results, placeholder(said_of_fault(error, kept), kept))
        raise
    return f"{report.submission.name}: {report.score} of {report.max_score}, seed {report.seed}"


def _graded(
    found: tuple[Submission, Sequence[str]], kit: Kit, settings: Settings, results: Path, kept: float
) -> Report:
    (submission, notices), tiers = found, dict(settings.tiers)
    told = tuple(Notice(None, text) for text in notices)
    for report in growing(submission, kit, settings):
        finished = {result.component for result in report.results} == set(COMPONENTS)
        whole = replace(report, notices=(*told, *report.notices))
        write_whole(results, render(whole, tiers) if finished else unfinished(whole, tiers, kept))
    return whole


def growing(submission: Submission, kit: Kit, settings: Settings) -> Iterator[Report]:
    """The report on the first component, on the first two, and so on to the whole; nothing is asked twice."""
    memory = _Memory()
    for count in range(1, len(COMPONENTS) + 1):
        checks = tuple(check for check in RUBRIC if check.component in COMPONENTS[:count])
        grader = Grader(kit, settings.seed, checks, settings.require)
        yield grader.grade(submission, memory.of(grader))


@dataclass
class _Memory:
    """What a submission has answered so far."""

    seen: dict[Probe, Observation] = field(default_factory=dict)
    transcript: Transcript = field(default_factory=lambda: Transcript({}))

    def of(self, grader: Grader) -> Any:
        """An ``observe`` that asks only what is new."""

        def observe(submission: Submission, probes: Sequence[Probe]) -> Transcript:
            fresh = [probe for probe in probes if probe not in self.seen]
            if fresh:
                more, had = grader.observe(submission, fresh), self.transcript
                self.seen.update(more.observations)
                printed, seconds = had.printed + more.printed, had.seconds + more.seconds
                self.transcript = Transcript({}, printed, more.isolation, seconds)
            return replace(self.transcript, observations={probe: self.seen[probe] for probe in probes})

        return observe


def submitted(folder: Path) -> tuple[Submission, Sequence[str]] | str:
    """The one file to grade and what to say about finding it, or what is wrong, in words for the student."""
    listing: Listing = Folder(folder)
    found = of_one(listing, STUDENT)
    if not isinstance(found, HandIn):
        zips = [file for file in listing.files() if file.kind == "file" and file.path.lower().endswith(".zip")]
        if len(zips) != 1:
            return found.text
        listing = Archive(folder / zips[0].path)
        found = of_one(listing, STUDENT)
        if not isinstance(found, HandIn):
            return f"{zips[0].path}: {found.text}"
    name = found.origin.rpartition("/")[2]
    return from_bytes(name, listing.read(found.origin)), found.notices


def last_score(metadata: Path) -> float:
    """The score of the last earlier submission that was graded to its end, 0 without one."""
    try:
        form = loads(metadata.read_bytes()[:LONGEST])
        earlier = [(one["score"], one["results"]["extra_data"]["finished"]) for one in form["previous_submissions"]]
    except (OSError, BadForm, KeyError, TypeError):
        return 0.0
    scores = [score for score, finished in earlier if finished is True and isinstance(score, (int, float))]
    return float(scores[-1]) if scores else 0.0


def _settings(path: Path) -> Settings:
    try:
        return from_form(Settings, loads(path.read_bytes()))
    except (OSError, BadForm) as error:
        raise GraderFault(f"{path.name} is missing or damaged ({error}); build the autograder again") from None
