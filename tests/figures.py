"""The README's part on the audit, made of the recorded figures: ``python -m tests.figures`` writes it."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

from grader.findings import Findings
from grader.forms import from_form
from grader.render.audit_table import markdown
from tests.oracle.loading import KIT

AUDIT = KIT / "tests" / "submissions" / "audit.json"
MUTANTS = KIT / "tests" / "submissions" / "mutants.json"
README = KIT / "README.md"
PART = re.compile(r"(?<=<!-- audit -->\n).*?(?=<!-- end of audit -->)", re.DOTALL)


def part(audit: dict[str, Any], mutants: dict[str, Any]) -> str:
    """Both records in Markdown."""
    findings = from_form(Findings, audit["findings"])
    lines = [
        "The kit grades itself: `make audit` asks whether the reference, the stub and each hand-in of a corpus get",
        "what they deserve. `make figures` records what stands here.",
        "",
        markdown(findings).rstrip("\n"),
        "",
        *_mutants(mutants),
    ]
    return "\n".join(lines) + "\n"


def _mutants(table: dict[str, Any]) -> list[str]:
    """How many small changes were tried, what became of them, and who survived."""
    killed = f"**{table['killed']} of {table['wrong']}**"
    lines = [
        f"`make mutants` changes the right hand-ins in one place at a time; {table['tried']} of {table['made']}",
        f"possible changes were tried. An oracle that knows nothing of the grader proved {table['wrong']} of them",
        f"wrong and {table['right']} right, and could not decide {table['undecided']}. Of the wrong ones {killed} are",
        "killed.",
    ]
    if table["right_that_lose"]:
        places = ", ".join(f"`{one['hand_in']}.py:{one['line']}`" for one in table["right_that_lose"])
        lines += ["", f"Right ones that lose marks: {places}."]
    if table["survivors"]:
        lines += ["", "| survivor | change | why it keeps its marks |", "|---|---|---|"]
    for one in table["survivors"]:
        where = f"`{one['hand_in']}.py:{one['line']}`"
        lines.append(f"| {where} | `{_cell(one['change'])}` | {_cell(one['explained'] or 'not explained yet')} |")
    return lines


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def written(readme: str, audit: dict[str, Any], mutants: dict[str, Any]) -> str:
    """The README with its part on the audit as the records have it."""
    return PART.sub(lambda _: part(audit, mutants), readme)


def read(path: Path) -> dict[str, Any]:
    """A record."""
    table: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return table


if __name__ == "__main__":
    text = README.read_text(encoding="utf-8")
    if not PART.search(text):
        sys.exit(f"{README.name} has no <!-- audit --> and <!-- end of audit -->, each on a line of its own")
    README.write_text(written(text, read(AUDIT), read(MUTANTS)), encoding="utf-8")
