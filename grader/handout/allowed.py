"""Which files go out: the lists in files.ini, by name."""

from __future__ import annotations

from configparser import ConfigParser
from pathlib import Path
from typing import Literal, TypeAlias

from grader.records import GraderFault

List: TypeAlias = Literal["student", "gradescope", "home"]
EXERCISE = ("README.md", "engine.py", "nn.py", "transformer_block.py")


def names(which: List) -> tuple[str, ...]:
    """The files of a list, as paths below grader/."""
    lists = ConfigParser(allow_no_value=True, delimiters=("=",), interpolation=None)
    lists.optionxform = str  # type: ignore[assignment,method-assign]  # names as they are, as its documentation says
    lists.read_string(content(Path(__file__).with_name("files.ini")).decode("utf-8"))
    return tuple(lists[which])


def files(which: List) -> dict[str, bytes]:
    """The listed files of grader/, by their paths in a handout. Raises GraderFault when one is missing."""
    package = Path(__file__).parent.parent
    return {f"grader/{name}": content(package / name) for name in names(which)}


def content(path: Path) -> bytes:
    """A file that must be there. Raises GraderFault when it is not."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise GraderFault(f"{path} cannot be read: {error.strerror}; is the kit whole?") from None
