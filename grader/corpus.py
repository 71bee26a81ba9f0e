"""The corpus: hand-ins known to be right or wrong, what each wrong one must lose, and what its fault is called."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

from grader.records import COMPONENTS, Property, UsageError

Kind = Literal["reference", "stub", "right", "wrong"]
Pair = tuple[str, str]
_PAIR = re.compile(rf"\b({'|'.join(COMPONENTS)})\.({'|'.join(get_args(Property))})\b")


@dataclass(frozen=True)
class Case:
    """One hand-in. ``fails``: the component and property of the lines that a wrong one must lose."""

    path: Path
    kind: Kind
    fails: tuple[Pair, ...] = ()
    misconception: str | None = None

    @property
    def name(self) -> str:
        return self.path.stem if self.kind in ("right", "wrong") else self.kind


def cases(folder: Path) -> tuple[Case, ...]:
    """Every hand-in below ``folder``, right ones first. Raises UsageError for what is no corpus."""
    right, wrong = (sorted((folder / kind).glob("*.py")) for kind in ("right", "wrong"))
    if not right and not wrong:
        raise UsageError(
            f"there is no corpus at {folder}: a folder with right/ and wrong/ is needed, as tests/submissions of a "
            "checkout (an installed grader has none); give one with --corpus"
        )
    names = _names(folder / "named.json")
    strangers = names.keys() - {path.stem for path in wrong}
    if strangers and wrong:
        raise UsageError(f"{folder / 'named.json'} names hand-ins that are not there: {', '.join(sorted(strangers))}")
    return (
        *(Case(path, "right") for path in right),
        *(Case(path, "wrong", _fails(path), names.get(path.stem)) for path in wrong),
    )


def _names(path: Path) -> dict[str, str]:
    """The misconception behind each wrong hand-in whose fault the library knows, by the stem of its file."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise UsageError(f"cannot read {path}: {error}") from None
    return {str(stem): str(name) for stem, name in found.items()}


def _fails(path: Path) -> tuple[Pair, ...]:
    """The pairs after "Fails:" in the first line."""
    first = path.read_bytes().split(b"\n", 1)[0].decode("utf-8", "replace")
    pairs = _PAIR.findall(first.partition(" Fails:")[2])
    if not pairs:
        raise UsageError(f"the first line of {path} does not end with `Fails:` and what must fail")
    return tuple(pairs)
