"""What every message of a report has to be: what was done, seen and expected, in words for a student, and a hint."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from grader.records import Report, Result
from grader.render import terminal

SOLUTION = Path(__file__).parent.parent / "solution"
DONE = re.compile(r"\b(MultiHeadAttention|LayerNorm|FeedForward|TransformerBlock)(\(\d|:|\.\w+ raises)|^The file ")
EXPECTED = re.compile(r"\bexpected\b|\bmust be\b|\bbut the gradient\b")
MACHINE = re.compile(r"Traceback|File \"|\bat 0x|(?<![\w.])/(?:\w[\w.-]*/)+|[A-Z]:\\|site-packages|<module>")
COLUMNS, LONGEST = 80, 600


def troubles(report: Report) -> list[str]:
    """Everything about the report's messages and hints that a student should not have to read."""
    found = [f"{r.id}: {what}: {r.message}" for r in report.results if r.status != "passed" for what in _of(report, r)]
    shown = terminal.render(report, terminal.Style(COLUMNS, hints=1))
    return [*found, *(f"wider than {COLUMNS}: {line}" for line in shown.splitlines() if len(line) > COLUMNS)]


def _of(report: Report, result: Result) -> Iterator[str]:
    said = result.message
    own = said.replace("`", "").split(", at line ")[0] if result.status == "raised" else said
    if not result.hint.strip().endswith((".", "?")):
        yield "no hint"
    if not said.endswith((".", "?", ".)")) or "\n" in said or len(said) > LONGEST:
        yield "not one readable paragraph"
    if MACHINE.search(own):
        yield "a path or a traceback"
    if any(line in said and line not in (report.submission.text or "") for line in _solution()):
        yield "a line of the solution"
    if result.status == "blocked":
        return
    if not DONE.search(said):
        yield "not told what was done"
    if result.status == "failed" and not EXPECTED.search(said):
        yield "not told what was expected"
    if result.status in ("raised", "memory") and " raised " not in said:
        yield "not told what was raised"


@cache
def _solution() -> tuple[str, ...]:
    """Lines of code that only the solution has; short ones are everyone's."""
    lines = {line.strip() for path in SOLUTION.rglob("*.py") for line in path.read_text(encoding="utf-8").splitlines()}
    return tuple(
        sorted(line for line in lines if len(line) > 24 and not line.startswith(("#", '"""', "import", "from")))
    )
