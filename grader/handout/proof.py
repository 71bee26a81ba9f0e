"""Proves that a handout gives nothing of solution/ away. What it finds names the file, never the secret's text."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from grader.handout.archive import Files
from grader.handout.hidden import Hidden, hidden, renamed, runs, spaced, tokens, words
from grader.handout.opening import texts
from grader.kit import Kit
from grader.records import GraderFault, UsageError

RECORDED = "grader/recorded.json.gz"
NUMBERS = ("expected", "answers", "readings")  # keys of a record that hold nothing else
_FACT = re.compile(r"answered|None|\(\d+, ?(?:\d+)?\)|[A-Z]\w*(?:Error|Exception)")  # text in a fingerprint


def prove(kit: Kit, files: Files) -> Path:
    """Where the solution lies. Raises GraderFault when anything of it is in ``files``, UsageError without one."""
    if kit.solution is None:
        raise UsageError("a handout is made from the full kit: without solution/ nothing proves that it is not in it")
    found = [*leaks(files, hidden(kit, kit.solution)), *_unfit(files)]
    if found:
        more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
        raise GraderFault(f"the handout was not written, since it would give the solution away: {found[0]}{more}")
    return kit.solution


def leaks(files: Files, secret: Hidden) -> list[str]:
    """Where something hidden is, and of what kind."""
    return [f"{where} holds {what}" for name in sorted(files) for where, what in _leaks(name, files[name], secret)]


def _leaks(name: str, data: bytes, secret: Hidden) -> Iterator[tuple[str, str]]:
    for where, text in texts(name, data):
        named, plain, cut = secret.names & words(text), spaced(text), tokens(text)
        if named:
            yield where, f"{sorted(named)[0]}, a name of solution/ (if the grader needs it too: SHARED in hidden.py)"
        if any(sentence in plain for sentence in secret.sentences):
            yield where, "a sentence of solution/"
        if name != RECORDED and any(sentence in plain for sentence in secret.recorded):
            yield where, "what only the recorded numbers may tell of a misconception"
        if runs(cut, len(next(iter(secret.verbatim)))) & secret.verbatim:
            yield where, "code of solution/"
        elif runs(renamed(cut, secret.known), len(next(iter(secret.renamed)))) & secret.renamed:
            yield where, "code of solution/ with other names"


def _unfit(files: Files) -> Iterator[str]:
    """The recorded numbers are numbers, and sentences of misconceptions, in exactly their form."""
    for name, data in files.items():
        if name.endswith(".json.gz") and not _only_numbers(json.loads(gzip.decompress(data))):
            yield f"{name} holds something else than numbers and sentences"


def _only_numbers(recorded: Any) -> bool:
    prints = [json.loads(text) for group in recorded.pop("fingerprints", {}).values() for text in group.values()]
    told = {frozenset(one) for one in recorded.pop("misconceptions", [])}
    return (
        recorded.keys() <= {"seed", "plan", *NUMBERS}
        and isinstance(recorded["seed"], int)
        and re.fullmatch(r"[0-9a-f]{64}", recorded["plan"]) is not None
        and told <= {frozenset({"name", "component", "sentence", "hint", "read"})}
        and all(_FACT.fullmatch(said) for one in prints for said in _said(one))
        and not any(said for key in NUMBERS for said in _said(recorded.get(key, [])))
    )


def _said(value: Any) -> Iterator[str]:
    """Every text in JSON, beside the keys; null and the like count as text."""
    if isinstance(value, (dict, list)):
        for one in value.values() if isinstance(value, dict) else value:
            yield from _said(one)
    elif not isinstance(value, (int, float)) or isinstance(value, bool):
        yield str(value)
