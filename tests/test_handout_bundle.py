"""The student's bundle: which files are in it, the same bytes every time, and nothing of a student's is overwritten."""

from __future__ import annotations

import io
import sys
import zipfile
from pathlib import Path

import pytest

from grader.grading import Kit
from grader.handout import Order, allowed, build
from grader.handout.archive import zipped
from grader.handout.bundle import NAME, STUB, bundle
from grader.records import UsageError
from tests.hand_ins import ROOT, run

KIT = Kit.here()
LOADED = """
import sys
from grader.cli import main
main(sys.argv[1:])
print(*sorted(name for name in sys.modules if name.split(".")[0] == "grader"), file=sys.stderr)
"""


def test_every_file_of_the_grader_goes_out_or_stays_home() -> None:
    """A new file is put in GRADING, which students get, or in HOME, by whoever adds it (grader/handout/allowed.py)."""
    found = (path for path in (ROOT / "grader").rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    listed = [*allowed.names(allowed.GRADING), *allowed.names(allowed.HOME)]
    assert sorted(path.relative_to(ROOT / "grader").as_posix() for path in found) == sorted(listed)


@pytest.mark.parametrize(
    "arguments",
    [
        ("check",),
        ("check", "--hint"),
        *(("check", "--format", kind) for kind in ("json", "html", "junit", "markdown", "gradescope", "github")),
    ],
    ids=" ".join,
)
def test_what_a_check_imports_goes_out(arguments: tuple[str, ...]) -> None:
    """Every module that `grader check` loads is in the bundle."""
    done = run(sys.executable, "-c", LOADED, *arguments)
    loaded = {name.partition(".")[2].replace(".", "/") for name in done.stderr.split()}
    out = {name.removesuffix(".py").removesuffix("/__init__") for name in allowed.names(allowed.GRADING)}
    assert len(loaded) > 40 and loaded - out - {"", "checks", "cli", "records", "render"} == set()


def test_bundle_is_the_lists_and_nothing_else() -> None:
    """Exercise, grader, README and Makefile: no tests, no solution, no history."""
    names = set(bundle(KIT))
    assert {name.split("/")[0] for name in names} == {"exercise", "grader", "README.md", "Makefile"}
    assert not names & {f"grader/{name}" for name in allowed.names(allowed.HOME)}


def test_zip_is_the_same_bytes_twice() -> None:
    """The order of the files and the time of day change nothing; the zip unpacks into one folder."""
    files = bundle(KIT)
    first, second = zipped(files, NAME), zipped(dict(reversed(files.items())), NAME)
    assert first == second
    with zipfile.ZipFile(io.BytesIO(first)) as archive:
        infos = archive.infolist()
    assert {info.date_time for info in infos} == {(1980, 1, 1, 0, 0, 0)}
    assert {info.filename.split("/")[0] for info in infos} == {NAME}


def test_folder_and_zip_hold_the_same(tmp_path: Path) -> None:
    """The folder is the zip unpacked, and a second run replaces both."""
    for _ in range(2):
        build("student", KIT, Order(tmp_path / "out"))
    with zipfile.ZipFile(tmp_path / "out" / f"{NAME}.zip") as archive:
        packed = {info.filename: archive.read(info) for info in archive.infolist()}
    found = [path for path in (tmp_path / "out" / NAME).rglob("*") if path.is_file()]
    assert {path.relative_to(tmp_path / "out").as_posix(): path.read_bytes() for path in found} == packed
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [NAME, f"{NAME}.zip"]


@pytest.mark.parametrize("name", [STUB, "exercise/mine.py"])
def test_work_is_not_overwritten(tmp_path: Path, name: str) -> None:
    """Where somebody has worked in the folder, nothing is replaced, and the message names the file."""
    build("student", KIT, Order(tmp_path))
    (tmp_path / NAME / name).write_text("mine = 1\n", encoding="utf-8")
    with pytest.raises(UsageError, match=name):
        build("student", KIT, Order(tmp_path))
    assert (tmp_path / NAME / name).read_text(encoding="utf-8") == "mine = 1\n"
