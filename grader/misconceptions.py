"""The library of named misconceptions: each is the reference with one fault, a sentence, a hint, where to read."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from pathlib import Path

from grader.records import COMPONENTS, Component, GraderFault, Submission

_FIELD = re.compile(r"# (component|sentence|hint|read): (.*)")


@dataclass(frozen=True)
class Misconception:
    """``code`` is appended to the readings' text; it is empty where only recorded numbers are shipped."""

    name: str
    component: Component
    sentence: str
    hint: str
    read: str
    code: str = ""

    def submission(self, readings: Submission) -> Submission:
        """The reference with this fault, as a hand-in."""
        text = f"{readings.text}\n\n{self.code}"
        return Submission(f"{self.name}.py", hashlib.sha256(text.encode()).hexdigest(), text)


def library(folder: Path) -> tuple[Misconception, ...]:
    """Every misconception in ``folder``, by name. Raises GraderFault for a file that is not of the form."""
    return tuple(_read(path) for path in sorted(folder.glob("*.py")))


def _read(path: Path) -> Misconception:
    lines = path.read_text(encoding="utf-8").splitlines()
    fields = {found[1]: found[2] for line in lines[:4] if (found := _FIELD.fullmatch(line))}
    component = next((name for name in COMPONENTS if name == fields.get("component")), None)
    if component is None or fields.keys() != {"component", "sentence", "hint", "read"}:
        raise GraderFault(f"{path.name} does not start with its component, sentence, hint and what to read")
    name = path.stem.replace("_", "-")
    return Misconception(
        name, component, fields["sentence"], fields["hint"], fields["read"], "\n".join(lines[4:]) + "\n"
    )
