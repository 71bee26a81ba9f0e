"""`make check` from a fresh clone, with nothing but Python and make."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from tests.hand_ins import copied, filled, run


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder to be PATH: python3, without this environment's packages, and make."""
    folder = tmp_path_factory.mktemp("programs")
    make = shutil.which("make")
    assert make, "these tests need make"
    for name, program in (("python3", os.path.realpath(sys.executable)), ("make", make)):
        (folder / name).write_text(f'#!/bin/sh\nexec "{program}" "$@"\n', encoding="utf-8")
        (folder / name).chmod(0o755)
    return folder


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A fresh clone of the working tree as it is now."""
    folder = tmp_path_factory.mktemp("git")
    origin = copied(folder / "origin")
    home = {"PATH": os.environ["PATH"], "HOME": str(folder), "GIT_CONFIG_NOSYSTEM": "1"}
    who = ("-c", "user.name=someone", "-c", "user.email=someone@example.org", "-c", "commit.gpgsign=false")
    for command in (
        ("git", "init", "--quiet"),
        ("git", "add", "--all"),
        ("git", *who, "commit", "--quiet", "--message", "all"),
        ("git", "clone", "--quiet", str(origin), str(folder / "clone")),
    ):
        done = run(*command, cwd=origin, env=home)
        assert done.returncode == 0, done.stderr
    return folder / "clone"


def _make(clone: Path, programs: Path, *arguments: str) -> CompletedProcess[str]:
    return run("make", *arguments, cwd=clone, env={"PATH": str(programs), "LC_ALL": "C.UTF-8"})


def test_stub(clone: Path, programs: Path) -> None:
    """An unfinished stub gets its report, 0/100, and make ends well, without an error line of its own."""
    done = _make(clone, programs, "check")
    assert (done.returncode, done.stderr) == (0, "")
    assert "\nScore 0/100   transformer_block.py" in done.stdout and "make:" not in done.stdout


def test_reference(clone: Path, programs: Path) -> None:
    """FILE=solution/transformer_block.py gets 100/100."""
    done = _make(clone, programs, "check", "FILE=solution/transformer_block.py")
    assert (done.returncode, done.stderr) == (0, "") and "\nScore 100/100   transformer_block.py" in done.stdout


@pytest.mark.parametrize("name", ["mine.py", "my hand-in's $file.py"])
def test_layer_norm_alone(clone: Path, programs: Path, tmp_path: Path, name: str) -> None:
    """A file with LayerNorm alone, whatever its name, shows LayerNorm's 18/18 and ends well."""
    path = tmp_path / name
    path.write_text(filled("LayerNorm"), encoding="utf-8")
    done = _make(clone, programs, "check", f"FILE={str(path).replace('$', '$$')}")
    assert (done.returncode, done.stderr) == (0, "")
    (line,) = (line for line in done.stdout.splitlines() if line.startswith("LayerNorm"))
    assert line.split() == ["LayerNorm", "18/18"] and "\nScore 18/100" in done.stdout


def test_missing_file_fails(clone: Path, programs: Path) -> None:
    """A FILE that is not there is an error of make too, with the grader's words."""
    done = _make(clone, programs, "check", "FILE=nothing.py")
    assert done.returncode == 2 and "grader: cannot grade nothing.py" in done.stderr


def test_nothing_is_installed_or_left(clone: Path, programs: Path) -> None:
    """`make check` makes no environment and leaves no file that git would show."""
    _make(clone, programs, "check")
    assert run("git", "status", "--porcelain", cwd=clone, env={"PATH": os.environ["PATH"]}).stdout == ""
    assert not (clone / ".venv").exists()
