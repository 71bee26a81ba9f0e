"""The README's console blocks, run as printed: each command shows what the page says it shows."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.hand_ins import ROOT, copied, environment

README = ROOT / "README.md"
RUN = ("make check", "grader ", "python -m grader")


def _commands() -> list[tuple[str, str]]:
    """Every command in a console block of the README that is run here, with the output printed below it."""
    if not README.exists():
        return []
    blocks = re.findall(r"^```console\n(.*?)^```$", README.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    found = [re.match(r"(.*)\n?((?s:.*))", part) for block in blocks for part in re.split(r"^\$ ", block, flags=re.M)]
    return [(one[1], one[2]) for one in found if one and one[1].startswith(RUN)]


COMMANDS = _commands()


def _timeless(text: str) -> str:
    """The text with seconds, which differ from run to run, made equal."""
    return re.sub(r"\b\d+(?:\.\d+)? s\b", "0.0 s", text).strip("\n") + "\n"


def _pattern(printed: str) -> str:
    """The printed output as a regular expression in which `...` alone on a line stands for any lines."""
    lines = _timeless(printed).splitlines(keepends=True)
    return "".join(r"(?:.*\n)*?" if line == "...\n" else re.escape(line) for line in lines)


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the kit, so that a command may write where it likes."""
    return copied(tmp_path_factory.mktemp("readme") / "kit")


@pytest.mark.skipif(not README.exists(), reason="there is no README.md yet")
def test_readme_shows_commands() -> None:
    """The README has commands to run: at least the three of its first screen."""
    assert len(COMMANDS) >= 3


@pytest.mark.parametrize(("command", "printed"), COMMANDS, ids=[command for command, _ in COMMANDS])
def test_command_prints_what_the_readme_shows(copy: Path, command: str, printed: str) -> None:
    """The command, run in a copy of the kit, prints what stands below it."""
    path = f"{Path(sys.executable).parent}:{environment()['PATH']}"
    done = subprocess.run(
        ["/bin/sh", "-c", command],
        cwd=copy,
        env=environment(PATH=path, PYTHONPATH=str(copy)),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )
    assert re.fullmatch(_pattern(printed), _timeless(done.stdout)), done.stdout
