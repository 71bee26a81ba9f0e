"""The wheel: what is in it, what must never be, and that it works away from the checkout."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from email import message_from_string
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PARTS = ("pyproject.toml", "exercise", "grader", "solution", "tests")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The files of a wheel built from a copy of the checkout, by their names in it."""
    copy = tmp_path_factory.mktemp("checkout")
    for part in PARTS:
        if (ROOT / part).is_dir():
            shutil.copytree(ROOT / part, copy / part, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / part, copy / part)
    build = "from setuptools import build_meta; build_meta.build_wheel('dist')"
    done = subprocess.run([sys.executable, "-c", build], cwd=copy, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    (path,) = (copy / "dist").glob("*.whl")
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def _sources(folder: str) -> set[Path]:
    return {path for path in (ROOT / folder).rglob("*.py") if "__pycache__" not in path.parts}


def _metadata(wheel: dict[str, bytes], file: str) -> str:
    (name,) = (name for name in wheel if name.endswith(f".dist-info/{file}"))
    return wheel[name].decode("utf-8")


def test_wheel_holds_every_module_of_the_grader(wheel: dict[str, bytes]) -> None:
    """Every file of grader/ that is in the checkout is in the wheel, so no folder or data file was forgotten."""
    files = {path for path in (ROOT / "grader").rglob("*") if path.is_file() and "__pycache__" not in path.parts}
    assert sorted({path.relative_to(ROOT).as_posix() for path in files} - set(wheel)) == []


def test_wheel_holds_the_exercise_inside_the_grader(wheel: dict[str, bytes]) -> None:
    """The given code and the stub are in the wheel as grader/exercise/, byte for byte."""
    for name in ("engine.py", "nn.py", "transformer_block.py"):
        assert wheel[f"grader/exercise/{name}"] == (ROOT / "exercise" / name).read_bytes()


def test_wheel_holds_nothing_else(wheel: dict[str, bytes]) -> None:
    """Beside grader/ and the metadata there is nothing, and no folder is named solution or tests."""
    assert {name.split("/")[0].split("-")[0] for name in wheel} == {"grader", "transformer_block_kit"}
    assert [name for name in wheel if {"solution", "tests"} & set(Path(name).parts)] == []


def test_wheel_holds_no_copy_of_the_solution_or_the_tests(wheel: dict[str, bytes]) -> None:
    """No file of the wheel has the text of a file of solution/ or tests/, under whatever name."""
    public = {path.read_bytes() for path in _sources("exercise")}
    hidden = {path.read_bytes() for path in _sources("solution") | _sources("tests")} - public - {b""}
    assert hidden
    assert [name for name, text in wheel.items() if text in hidden] == []


def test_wheel_needs_nothing_at_run_time(wheel: dict[str, bytes]) -> None:
    """Every requirement belongs to an extra, the licence is named, and the command and the plugin are declared."""
    metadata = message_from_string(_metadata(wheel, "METADATA"))
    assert [need for need in metadata.get_all("Requires-Dist", []) if "extra ==" not in need] == []
    assert metadata["License-Expression"] == "MIT"
    assert metadata["Requires-Python"] == ">=3.10"
    entry_points = _metadata(wheel, "entry_points.txt").split()
    assert "".join(entry_points) == "[console_scripts]grader=grader.cli:main[pytest11]grader.face=grader.face"


def test_wheel_grades_away_from_the_checkout(wheel: dict[str, bytes], tmp_path: Path) -> None:
    """Unpacked in a folder of its own, the wheel grades the stub it carries: marks lost, nothing broken."""
    for name, text in wheel.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(text)
    stub = tmp_path / "grader" / "exercise" / "transformer_block.py"
    away = tmp_path / "away"
    away.mkdir()
    command = [sys.executable, "-m", "grader", "check", str(stub)]
    environment = os.environ | {"PYTHONPATH": str(tmp_path)}
    done = subprocess.run(command, cwd=away, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (1, "")
