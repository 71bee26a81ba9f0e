"""Small changes to every right hand-in: the oracle says which are wrong, and the grader must take marks for these.

``python -m tests.mutants [--sample N] [--seed N] [--jobs N] [--record]`` prints the kill rate and who survived;
``--record`` writes both to tests/submissions/mutants.json.
"""

from __future__ import annotations

import argparse
import functools
import hashlib
import json
import random
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grader.audit import Unnamed
from grader.kit import Kit
from grader.pool import cores
from grader.records import Submission
from grader.rubric import RUBRIC
from grader.spread import spread
from tests.explained import reason
from tests.mutant_oracle import verdict
from tests.mutating import Mutant, mutants, readable
from tests.oracle.loading import KIT, RIGHT

RECORD = KIT / "tests" / "submissions" / "mutants.json"


@dataclass(frozen=True)
class Judged:
    """What the oracle and the grader make of a mutant."""

    mutant: Mutant
    verdict: str
    why: str
    points: int
    lost: tuple[str, ...]

    @property
    def survives(self) -> bool:
        """Wrong by the oracle, and yet with full marks."""
        return self.verdict == "wrong" and not self.lost

    def told(self) -> dict[str, Any]:
        """The mutant in the record."""
        m = self.mutant
        return {
            "hand_in": m.hand_in, "line": m.line, "kind": m.kind, "change": m.change, "source": m.source,
            "evidence": self.why, "lost": list(self.lost), "explained": reason(m),
        }  # fmt: skip


@functools.cache
def _grader(component: str | None) -> Unnamed:
    """Grades the component that was changed, or everything."""
    checks = tuple(check for check in RUBRIC if component in (None, check.component))
    return Unnamed(Kit.here(), 0, checks)


def lost(mutant: Mutant) -> tuple[int, tuple[str, ...]]:
    """The points that the grader takes, and at which checks; it looks at the changed component first."""
    digest = hashlib.sha256(mutant.text.encode("utf-8")).hexdigest()
    submission = Submission(f"{mutant.hand_in}.py", digest, mutant.text)
    for component in dict.fromkeys((mutant.component, None)):
        report = _grader(component).grade(submission)
        taken = tuple(r.id for r in report.results if r.status not in ("passed", "blocked"))
        if taken:
            break
    return report.max_score - report.score, taken


def judge(mutant: Mutant) -> Judged:
    """One mutant, judged by both, who know nothing of each other."""
    if not readable(mutant.text):
        return Judged(mutant, "unreadable", "", 0, ())
    ruling = verdict(mutant.hand_in, mutant.text, mutant.component)
    return Judged(mutant, ruling.verdict, ruling.why, *lost(mutant))


def figures(judged: Sequence[Judged], made: int) -> dict[str, Any]:
    """What goes into the record."""
    ordered = sorted(judged, key=lambda j: (j.mutant.hand_in, j.mutant.line, j.mutant.kind, j.mutant.change))
    wrong = [j for j in ordered if j.verdict == "wrong"]
    verdicts = Counter(j.verdict for j in ordered)
    survivors = [j.told() for j in wrong if j.survives]
    return {
        "schema": 1,
        "made": made,
        "tried": len(ordered) - verdicts["unreadable"],
        "right": verdicts["right"],
        "undecided": verdicts["undecided"],
        "wrong": len(wrong),
        "killed": sum(not j.survives for j in wrong),
        "explained": sum(s["explained"] is not None for s in survivors),
        "kinds": dict(sorted(Counter(j.mutant.kind for j in wrong).items())),
        "survivors": survivors,
        "undecided_with_full_marks": [j.told() for j in ordered if j.verdict == "undecided" and not j.lost],
        "undecided_that_lose": [j.told() for j in ordered if j.verdict == "undecided" and j.lost],
        "right_that_lose": [j.told() for j in ordered if j.verdict == "right" and j.lost],
    }


def summary(table: dict[str, Any]) -> str:
    """The record in words."""
    verdicts = f"{table['wrong']} wrong, {table['right']} right, {table['undecided']} undecided by the oracle"
    lines = [
        f"{table['tried']} of {table['made']} mutants tried: {verdicts}",
        f"killed {table['killed']} of {table['wrong']}, {table['explained']} of the survivors explained",
    ]
    for field in ("survivors", "right_that_lose", "undecided_with_full_marks", "undecided_that_lose"):
        if table[field]:
            lines.append(f"{field.replace('_', ' ')}:")
        for one in table[field]:
            lines.append(f"  {one['hand_in']}.py:{one['line']}: {one['kind']}: {one['change']}")
            lines.append(f"      {one['source']}")
            lines += [f"      {key}: {one[key]}" for key in ("evidence", "lost", "explained") if one[key]]
    return "\n".join(lines) + "\n"


def clean(table: dict[str, Any]) -> bool:
    """Whether every wrong mutant is killed or explained, and no right one loses marks."""
    return table["killed"] + table["explained"] == table["wrong"] and not table["right_that_lose"]


def main(argv: Sequence[str] | None = None) -> int:
    """Judge all mutants or a random sample of them."""
    parser = argparse.ArgumentParser(description="Small changes to every right hand-in, judged by oracle and grader.")
    parser.add_argument("--sample", type=int, metavar="N", help="only so many, drawn at random")
    parser.add_argument("--seed", type=int, default=0, help="draw others")
    parser.add_argument("--jobs", type=int, default=cores(), metavar="N", help="processes (default: the cores)")
    parser.add_argument("--record", nargs="?", type=Path, const=RECORD, help="write the figures to this file")
    options = parser.parse_args(argv)
    every = [mutant for path in RIGHT for mutant in mutants(path)]
    chosen = every if options.sample is None else random.Random(options.seed).sample(every, options.sample)
    judged = []
    for one, progress in spread(judge, chosen, options.jobs):
        judged.append(one)
        if progress.done % 50 == 0 or progress.done == progress.total:
            sys.stderr.write(f"{progress.words}\n")
    table = figures(judged, len(every))
    sys.stdout.write(summary(table))
    if options.record:
        options.record.write_text(json.dumps(table, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return 0 if clean(table) else 1


if __name__ == "__main__":
    sys.exit(main())
