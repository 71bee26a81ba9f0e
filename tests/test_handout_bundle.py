"""The student's bundle: which files are in it, the same bytes every time, and nothing of a student's is overwritten."""

from __future__ import annotations

import io
import os
import shutil
import signal
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest

from grader.handout import Order, allowed, build
from grader.handout.archive import write_below, zipped
from grader.handout.bundle import NAME, STUB, bundle
from grader.kit import Kit
from grader.records import UsageError
from tests.hand_ins import REFERENCE, ROOT, run
from tests.verdicts import CORPUS, differences

KIT = Kit.here()
LOADED = """
import sys
from grader.cli import main
main(sys.argv[1:])
print(*sorted(name for name in sys.modules if name.split(".")[0] == "grader"), file=sys.stderr)
"""


def test_every_file_of_the_grader_goes_out_or_stays_home() -> None:
    """Whoever adds a file puts its name into one of the lists of grader/handout/files.ini."""
    found = (path for path in (ROOT / "grader").rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    listed = [name for which in get_args(allowed.List) for name in allowed.names(which)]
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
    out = {name.removesuffix(".py").removesuffix("/__init__") for name in allowed.names("student")}
    assert len(loaded) > 40 and loaded - out - {"", "checks", "cli", "records", "render"} == set()


def test_bundle_is_the_lists_and_nothing_else() -> None:
    """Exercise, grader, README and Makefile: no tests, no solution, no history."""
    names = set(bundle(KIT))
    assert {name.split("/")[0] for name in names} == {"exercise", "grader", "README.md", "Makefile"}
    home = (*allowed.names("home"), *allowed.names("gradescope"))
    assert not names & {f"grader/{name}" for name in home}


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


SAMPLE = (  # of each component and kind of ending one; `python -m tests.verdicts` compares all of the corpus
    *(
        "ada_mask_plus_infinity",
        "ada_sup_super_too_late",
        "bo_ffn_hidden_literal_four",
        "bo_ln_deviation_from_running_mean",
    ),
    *("cleo_ln_init_swapped", "cleo_py_pads_or_truncates", "dan_block_no_attention_residual", "dan_scale_no_sqrt"),
    *("dan_sup_detach_by_rewrap", "eva_block_in_place_input", "eva_ffn_relu_derivative_at_zero", "eva_t1_collapsed"),
)


def test_bundle_and_full_kit_say_the_same(tmp_path: Path) -> None:
    """Wrong hand-ins get the same lines, words and names of mistakes with the bundle alone."""
    write_below(tmp_path, bundle(KIT))
    assert list(differences(tmp_path, [CORPUS / "wrong" / f"{name}.py" for name in SAMPLE])) == []


@pytest.mark.parametrize("into", ["file", "file/below"])
def test_a_folder_that_cannot_be_made_is_said(tmp_path: Path, into: str) -> None:
    """A file in the way is the user's to move: wrong usage, with the path."""
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(UsageError, match=r"cannot make the folder .*file"):
        build("student", KIT, Order(tmp_path / into))


def lowest_python() -> str:
    """Python 3.10, the lowest that is supported, if it is anywhere; else the one that runs this."""
    for found in ("python3.10", *sorted(Path.home().glob(".pyenv/versions/3.10*/bin/python3.10"))):
        if shutil.which(found):
            done = run(found, "-c", "import sys; print(sys.executable)", env=dict(os.environ))  # a shim needs its shell
            if done.returncode == 0:
                return done.stdout.strip()
    return os.path.realpath(sys.executable)


@pytest.fixture(scope="module")
def student(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The zip unpacked where a student might: a path with a space and an umlaut, which nobody may write to."""
    folder = tmp_path_factory.mktemp("Schön hier")
    build("student", KIT, Order(folder))
    with zipfile.ZipFile(folder / f"{NAME}.zip") as archive:
        archive.extractall(folder / "mein Ordner ü")
    home = folder / "mein Ordner ü" / NAME
    shutil.copy(REFERENCE, home / "exercise" / "mine done.py")
    paths = [home, *home.rglob("*")]
    for path in paths:
        path.chmod(0o555 if path.is_dir() else 0o444)
    yield home
    for path in paths:
        path.chmod(0o755)


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder to be PATH: make and python3, the lowest that is supported, and nothing else."""
    make = shutil.which("make")
    if make is None:
        pytest.skip("needs make")
    folder = tmp_path_factory.mktemp("programs")
    for name, program in (("python3", lowest_python()), ("make", make)):
        (folder / name).write_text(f'#!/bin/sh\nexec "{program}" "$@"\n', encoding="utf-8")
        (folder / name).chmod(0o755)
    return folder


def alone(home: Path, programs: Path, *command: str, **more: str) -> subprocess.CompletedProcess[str]:
    """A command in the student's folder, with nothing of this environment."""
    return run(*command, cwd=home, env={"PATH": str(programs), "HOME": str(home / "nowhere"), **more})


@pytest.mark.parametrize("language", ["C", "C.UTF-8"])
def test_make_check_grades_the_stub(student: Path, programs: Path, language: str) -> None:
    """From a folder that is read-only, on the lowest Python: 0 of 100, make ends well, no words of its own."""
    done = alone(student, programs, "make", "check", LC_ALL=language)
    assert (done.returncode, done.stderr) == (0, "")
    assert "\nScore 0/100   transformer_block.py" in done.stdout and "make:" not in done.stdout


@pytest.mark.parametrize("arguments", [("check",), ("hint",)])
def test_make_grades_another_file(student: Path, programs: Path, arguments: tuple[str, ...]) -> None:
    """FILE names it, spaces and all; a right one gets everything."""
    done = alone(student, programs, "make", *arguments, "FILE=exercise/mine done.py")
    assert (done.returncode, done.stderr) == (0, "") and "\nScore 100/100   mine done.py" in done.stdout


def test_there_is_no_oracle(student: Path, programs: Path) -> None:
    """What holds a hand-in against the reference stays home; asking for it is wrong usage, told in one line."""
    done = alone(student, programs, "python3", "-m", "grader", "check", "--oracle")
    assert (done.returncode, done.stdout) == (2, "") and "there is no solution/ here" in done.stderr
    assert not (student / "grader" / "oracle.py").exists()


def test_hints_are_shown(student: Path, programs: Path) -> None:
    """`make hint` says more than `make check`."""
    plain, hinted = (alone(student, programs, "make", target).stdout for target in ("check", "hint"))
    assert hinted.count("Hint") > plain.count("Hint")


def test_page_is_written(student: Path, programs: Path, tmp_path: Path) -> None:
    """--format html works from the bundle: its style sheet is there, and it draws."""
    page = tmp_path / "report.html"
    done = alone(student, programs, "python3", "-m", "grader", "check", "--format", "html", "--output", str(page))
    assert (done.returncode, done.stderr) == (1, "") and "</style>" in page.read_text(encoding="utf-8")


def test_face_in_pytest_works(student: Path) -> None:
    """`python -m pytest -p grader.face --submission FILE` shows the rubric's lines, from the bundle's own grader."""
    command = (
        sys.executable,
        "-P" if sys.version_info >= (3, 11) else "-B",
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
    )
    environment = {**os.environ, "PYTHONPATH": str(student), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    face = ("-p", "grader.face", "-c", os.devnull, "--rootdir", str(student), "--submission", "exercise/mine done.py")
    done = run(*command, *face, cwd=student, env=environment)
    assert done.returncode == 0 and "38 passed" in done.stdout, done.stdout + done.stderr


@pytest.mark.parametrize("command", ["class", "regrade", "audit", "handout", "gradescope"])
def test_instructors_commands_are_named_as_such(student: Path, programs: Path, command: str) -> None:
    """Wrong usage, kindly said; help does not list them."""
    done = alone(student, programs, "python3", "-m", "grader", command, "x")
    assert done.returncode == 2 and f"`grader {command}` is for instructors" in done.stderr
    assert f"  {command} " not in alone(student, programs, "python3", "-m", "grader", "--help").stdout


def test_another_seed_is_refused_in_words(student: Path, programs: Path) -> None:
    """The bundle knows the numbers of the practice seed only, and says so."""
    done = alone(student, programs, "python3", "-m", "grader", "check", "exercise/mine done.py", "--seed", "5")
    assert done.returncode in (2, 3) and "leave out --seed" in done.stderr and "Traceback" not in done.stderr


def test_watch_works(student: Path, programs: Path) -> None:
    """`make watch` grades once at the start, and goes on until it is interrupted."""
    process = subprocess.Popen(
        [shutil.which("python3", path=str(programs)) or "python3", "-m", "grader", "check", "--watch"],
        cwd=student, env={"PATH": str(programs)}, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8",
    )  # fmt: skip
    with process:
        assert process.stdout is not None
        seen = iter(process.stdout.readline, "")
        assert any("0/100" in line for line in seen) and process.poll() is None
        process.send_signal(signal.SIGINT)
        process.stdout.read()
    assert process.returncode is not None
