"""The page of a class for `grader class` and `grader regrade`: its options, and what it is made from."""

from __future__ import annotations

import argparse
import base64
import importlib.util
import json
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

from grader import class_findings as findings
from grader.class_findings import Graded
from grader.class_results import ClassResults, Likeness, Run
from grader.classroom import STORE, registered
from grader.cohort import Cohort, HandIn, Key
from grader.digests import kit_digest
from grader.entry import Entry
from grader.expectations import PUBLIC_SEED
from grader.fingerprints import fingerprints, given_in
from grader.kit import Kit
from grader.records import UsageError
from grader.sandbox import given_code
from grader.similarity import similar
from grader.store import Store
from grader.submission import MAX_BYTES
from grader.writing import write_whole


def add_options(command: argparse.ArgumentParser) -> None:
    """``--page`` and ``--anonymous``."""
    command.add_argument("--page", type=Path, metavar="PATH.html", help="write the class's results as a page")
    command.add_argument("--anonymous", action="store_true", help="the page names nobody and quotes no hand-in")


def check(options: argparse.Namespace) -> None:
    """Refuse what cannot work before anything is graded."""
    if options.page is None:
        if options.anonymous:
            raise UsageError("--anonymous is for --page: say where the page should be written")
        return
    if importlib.util.find_spec("matplotlib") is None:
        raise UsageError(
            "--page draws with matplotlib, which is not installed: pip install 'transformer-block-kit[page]'"
        )
    if not options.page.resolve().parent.is_dir():
        raise UsageError(f"cannot write {options.page}: its folder does not exist")


def write(options: argparse.Namespace, run: Path, kit: Kit, cohort: Cohort) -> list[str]:
    """Write the page where one was asked for; returns where it is."""
    if options.page is None:
        return []
    from grader.render import class_page  # matplotlib takes half a second

    write_whole(options.page, class_page.render(gathered(run, kit, cohort, options.pass_mark, options.anonymous)))
    return [f"The class's page is in {options.page}"]


def gathered(
    run: Path, kit: Kit, cohort: Cohort, pass_mark: int | None = None, anonymous: bool = False
) -> ClassResults:
    """All that a run's folder says about the class. Raises UsageError when there is no run."""
    register, digest = registered(run), kit_digest(kit)
    graded = tuple(_graded(run, digest))
    names = _names(graded, anonymous)
    checks = findings.lines(graded)
    casualties, troubles = findings.unscored(cohort, names=not anonymous)
    return ClassResults(
        "Class" if anonymous else Path(register.source).stem,
        checks,
        findings.students(graded, names, checks),
        findings.misconceptions(graded, names),
        findings.notices(graded, names, remarks=not anonymous),
        casualties,
        troubles,
        _likeness(graded, names, kit, quote=not anonymous),
        _run(graded, digest, cohort),
        pass_mark,
        anonymous,
    )


def _graded(run: Path, digest: str) -> Iterator[Graded]:
    """Everyone who has a result of this kit, with the file's text."""
    with Store(run / STORE) as store:

        @cache
        def text(digest: str, seed: int) -> str | None:
            line = store.evidence(digest, seed)
            return text_of(line) if line else None

        for place in registered(run).places:
            key = Key(place.digest, digest, place.seed)
            if key in store:
                yield Graded(place.hand_in, store[key].report, text(place.digest, place.seed))


def text_of(line: Entry) -> str | None:
    """The file's text, which a line's evidence begins with; the observations after it are many times as long."""
    before = '{"text":'
    try:
        packed = base64.b64decode(line.packed, validate=True)
        head = zlib.decompressobj().decompress(packed, 12 * MAX_BYTES).decode("ascii")  # \\ud83d\\ude00 for one letter
        text = json.JSONDecoder().raw_decode(head, len(before))[0] if head.startswith(before) else None
    except (ValueError, zlib.error):
        return None
    return text if isinstance(text, str) else None


def _names(graded: Sequence[Graded], anonymous: bool) -> Mapping[HandIn, str]:
    """Their own, or a number in the order of the files' digests, which says nothing about anyone."""
    if not anonymous:
        return {one.hand_in: one.hand_in.student for one in graded}
    order = sorted(graded, key=lambda one: (one.report.submission.sha256, one.hand_in.origin))
    width = len(str(len(order)))
    return {one.hand_in: f"Student {number:0{width}}" for number, one in enumerate(order, 1)}


def _likeness(graded: Sequence[Graded], names: Mapping[HandIn, str], kit: Kit, quote: bool) -> Likeness:
    given = given_in({**given_code(kit.exercise), "stub": kit.stub.read_text(encoding="utf-8")})
    read = cache(lambda text: fingerprints(text, given))
    prints = [None if one.text is None else read(one.text) for one in graded]
    return findings.likeness(graded, names, similar([p or {} for p in prints]), prints.count(None), quote)


def _run(graded: Sequence[Graded], digest: str, cohort: Cohort) -> Run:
    seeds = {one.report.seed for one in graded}
    told = f"{PUBLIC_SEED}, the public one" if seeds <= {PUBLIC_SEED} else f"{len(seeds)} others than the public one"
    layers = Counter((one.report.environment.isolation or ("nothing was run",))[0] for one in graded)
    versions = sorted({f"{e.grader}, Python {e.python}" for one in graded for e in [one.report.environment]})
    return Run(digest, "; ".join(versions), told, tuple(layers.most_common()), cohort.graded, cohort.seconds)
