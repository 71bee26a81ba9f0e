"""A line of the store: the report, and packed beside it all that was observed, so that it can be judged again."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

from grader.cohort import Key
from grader.forms import BadForm, from_form, loads, to_form
from grader.records import Observation, Report

MOST_PACKED = 256 * 2**20  # bytes that one line's observations may unpack to


@dataclass(frozen=True)
class Asking:
    """One round of questions and what came of it; probes are named by their digests."""

    probes: tuple[str, ...]
    observations: tuple[Observation, ...]
    printed: int
    isolation: tuple[str, ...]
    seconds: float


@dataclass(frozen=True)
class Kept:
    """All that judging needs: the file as text (or why there is none) and every round of questions."""

    text: str | None
    trouble: str | None
    rounds: tuple[Asking, ...]


@dataclass(frozen=True)
class Entry:
    """One line. The report's submission is without its text, which is packed with the rounds (base64 of zlib).

    ``packed`` is empty where the file was judged again and nothing new was asked.
    """

    format: Literal["grader run 1"]
    key: Key
    report: Report
    packed: str


def entry(key: Key, report: Report, kept: Kept | None, texts: Mapping[str, str] | None = None) -> Entry:
    """The line that keeps a report and what it rests on. ``texts``: the JSON of observations, by probe, if at hand."""
    bare = replace(report, submission=replace(report.submission, text=None))
    if kept is None:
        return Entry("grader run 1", key, bare, "")
    rounds = ",".join(_round(one, texts or {}) for one in kept.rounds)
    data = f"{_json(replace(kept, rounds=())).removesuffix(']}')}{rounds}]}}".encode("ascii")
    return Entry("grader run 1", key, bare, base64.b64encode(zlib.compress(data, 1)).decode("ascii"))


def _round(one: Asking, texts: Mapping[str, str]) -> str:
    """A round as JSON, put together from its observations': most of these came as such."""
    observations = ",".join(texts.get(name) or _json(seen) for name, seen in zip(one.probes, one.observations))
    before, _, after = _json(replace(one, observations=())).partition('"observations":[]')
    return f'{before}"observations":[{observations}]{after}'


def _json(record: object) -> str:
    return json.dumps(to_form(record), separators=(",", ":"), allow_nan=False)


def unpacked(line: Entry) -> Kept:
    """What a line's report rests on. Raises BadForm when it is not of the form."""
    try:
        opened = zlib.decompressobj()
        data = opened.decompress(base64.b64decode(line.packed, validate=True), MOST_PACKED)
    except (ValueError, zlib.error) as error:
        raise BadForm(f"observations that cannot be unpacked: {error}") from None
    if not opened.eof:
        raise BadForm("observations that are cut off or too long")
    try:
        return from_form(Kept, loads(data))
    except BadForm as error:
        raise BadForm(
            f"its answers are stored in another form than this kit's ({error}); another version has graded it: "
            "`grader class` with the same folder and --output grades it again"
        ) from None


def to_line(line: Entry) -> bytes:
    """One line of JSON with its line break."""
    return _json(line).encode("ascii") + b"\n"


def from_line(line: bytes) -> Entry:
    """The entry in one line. Raises BadForm."""
    return from_form(Entry, loads(line))
