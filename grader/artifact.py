"""Reads the report that a run on a pull request left, as data by a stranger.

Such a run executes what the pull request says, so nothing of the artifact is believed that can be held against
something else: the rubric, the totals, the hand-in's digest. It is never unpacked to the disk.
"""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from dataclasses import dataclass
from typing import Any

from grader import __version__
from grader.expectations import PUBLIC_SEED
from grader.forms import BadForm, from_form, loads
from grader.records import Diagnosis, Environment, Notice, Report, Result, Submission
from grader.render.json_form import render
from grader.rubric import RUBRIC

MEMBER = "report.json"
MOST = 2**20  # bytes of the zip, and of the report in it
_BROKEN = (zipfile.BadZipFile, zlib.error, struct.error, KeyError, ValueError, OSError, EOFError, RuntimeError)
NOTES = 20  # diagnoses, and notices; a report has a handful


@dataclass(frozen=True)
class _Told:
    """What is taken from the artifact; the rest of a report is known or follows."""

    results: tuple[Result, ...]
    environment: Environment
    seconds: float
    diagnoses: tuple[Diagnosis, ...]
    notices: tuple[Notice, ...]


def report_in(archive: bytes, submission: Submission) -> Report:
    """The report on ``submission`` in a zipped artifact. Raises BadForm when there is none that can be shown."""
    form = loads(_member(archive))
    keys = _Told.__dataclass_fields__.keys()
    if type(form) is not dict or not keys <= form.keys():
        raise BadForm("the run left no report of a graded hand-in")
    told = from_form(_Told, {key: form[key] for key in keys})
    report = Report(submission, PUBLIC_SEED, **vars(told))
    _hold_against_the_rubric(report)
    if loads(render(report)) != form:  # name and digest of the hand-in, seed, totals, and no key more
        raise BadForm("the report is not on this hand-in, or its totals are not those of its lines")
    return report


def _member(archive: bytes) -> bytes:
    """The report's bytes, whatever else is in the zip and whatever it says of sizes."""
    if len(archive) > MOST:
        raise BadForm(f"the artifact is larger than {MOST // 1024} KiB")
    try:
        with zipfile.ZipFile(io.BytesIO(archive)) as opened, opened.open(MEMBER) as member:
            text = member.read(MOST + 1)
    except _BROKEN as error:
        raise BadForm(f"the artifact is not a zip with {MEMBER} in it: {type(error).__name__}") from None
    if len(text) > MOST:
        raise BadForm(f"{MEMBER} is larger than {MOST // 1024} KiB")
    return text


def _hold_against_the_rubric(report: Report) -> None:
    """Only what a hand-in's answers decide may differ from one report to another."""
    if report.environment.grader != __version__:
        raise BadForm(f"the report is by another version of the grader than {__version__}")
    if max(len(report.diagnoses), len(report.notices), len(report.environment.isolation)) > NOTES:
        raise BadForm("the report has more notes than a report has")
    if [_fixed(result) for result in report.results] != [(c.id, c.component, c.property, c.claim) for c in RUBRIC]:
        raise BadForm("the report's lines are not those of the rubric")
    for check, result in zip(RUBRIC, report.results):
        points = check.points if result.status == "passed" else 0
        if (result.max_points, result.points) != (check.points, points) or result.hint not in ("", check.hint):
            raise BadForm(f"{check.id} has other points or another hint than the rubric")


def _fixed(result: Result) -> tuple[Any, ...]:
    return result.id, result.component, result.property, result.claim
