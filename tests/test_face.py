"""`pytest --submission FILE`: the rubric's lines as tests, and nothing that lies beside the file is run."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from subprocess import CompletedProcess
from xml.etree import ElementTree as ET

import pytest

from grader.rubric import RUBRIC
from tests.hand_ins import REFERENCE, STUB, check, environment, run

WRONG = Path(__file__).parent / "submissions" / "wrong"
EVIL = "import pathlib; pathlib.Path(__file__).with_name('ran').write_text('x')\n"
CLEAN = {"PYTEST_ADDOPTS": "", "PYTEST_XDIST_WORKER": "", "CI": ""}


def _pytest(*arguments: str | Path, cwd: Path) -> CompletedProcess[str]:
    return run(sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *arguments, cwd=cwd, env=environment(**CLEAN))


def _counts(done: CompletedProcess[str]) -> dict[str, int]:
    """The last line of pytest's output, as numbers by word."""
    return {
        word: int(number) for number, word in re.findall(r"(\d+) (passed|failed|error)", done.stdout.splitlines()[-1])
    }


@pytest.fixture
def empty(tmp_path: Path) -> Path:
    """A folder with nothing in it."""
    folder = tmp_path / "empty"
    folder.mkdir()
    return folder


@pytest.fixture
def trapped(tmp_path: Path) -> Path:
    """The reference in a folder with a conftest.py and tests that leave a file behind when they are run."""
    folder = tmp_path / "trapped"
    folder.mkdir()
    for name in ("conftest.py", "evil.py", "test_evil.py", "engine.py"):
        (folder / name).write_text(EVIL, encoding="utf-8")
    path = folder / "transformer_block.py"
    path.write_text(REFERENCE.read_text(encoding="utf-8"), encoding="utf-8")
    return path


def test_reference_passes_every_line(empty: Path) -> None:
    """The reference passes as many tests as the rubric has lines, with exit status 0."""
    done = _pytest("--submission", REFERENCE, cwd=empty)
    assert (done.returncode, _counts(done)) == (0, {"passed": len(RUBRIC)}), done.stdout


def test_stub_fails_every_line(empty: Path) -> None:
    """The stub fails as many tests as the rubric has lines, with exit status 1."""
    done = _pytest("--submission", STUB, cwd=empty)
    assert (done.returncode, _counts(done)) == (1, {"failed": len(RUBRIC)}), done.stdout


def test_items_are_the_lines_of_the_rubric(empty: Path) -> None:
    """Every item is named as its line, in the order of the rubric."""
    done = _pytest("--submission", REFERENCE, "--collect-only", "-q", cwd=empty)
    assert [line.partition("::")[2] for line in done.stdout.splitlines() if "::" in line] == [c.id for c in RUBRIC]


@pytest.mark.parametrize("name", ["cleo_block_averaged_residual.py", "dan_ln_gamma_zero.py", "ada_zeros.py"])
def test_wrong_hand_in_fails_as_the_command_says(empty: Path, name: str) -> None:
    """The failed tests are the lines that lose points in `grader check`, with the same messages."""
    report = json.loads(check(WRONG / name, "--format", "json").stdout)
    lines = [line for line in report["results"] if line["status"] != "passed"]
    lost = {line["id"]: f"{line['status']}, 0/{line['max_points']} points: {line['message']}" for line in lines}
    done = _pytest("--submission", WRONG / name, "--junit-xml", "report.xml", cwd=empty)
    told = {}
    for case in ET.parse(empty / "report.xml").iter("testcase"):
        failure = case.find("failure")
        if failure is not None:
            told[case.get("name")] = (failure.text or "").partition("\nHint: ")[0]
    assert done.returncode == 1 and lost and told == lost


def test_score_and_likely_cause_are_told_at_the_end(empty: Path) -> None:
    """As `grader check` tells them."""
    done = _pytest("--submission", WRONG / "cleo_ln_unbiased_variance.py", cwd=empty)
    end = done.stdout[done.stdout.index(" score 91/100 ") :]
    assert re.search(r"^LayerNorm +9/18$", end, re.MULTILINE) and "Likely cause: Your variance is" in end


def test_the_plugin_may_be_named_where_it_is_installed_too(empty: Path) -> None:
    """`-p grader.face` is for who has not installed the kit, and no fault for who has."""
    assert _pytest("-p", "grader.face", "--submission", REFERENCE, cwd=empty).returncode == 0


def test_seed_is_passed_on(empty: Path) -> None:
    """--submission-seed draws other numbers, and a right hand-in passes with them too."""
    assert _pytest("--submission", REFERENCE, "--submission-seed", "7", cwd=empty).returncode == 0


@pytest.mark.parametrize("name", ["nothing.py", "."])
def test_missing_file_is_a_usage_error(empty: Path, name: str) -> None:
    """A file that is not there, or a folder, is wrong usage with the command's own words, not a failed test."""
    done = _pytest("--submission", name, cwd=empty)
    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert "ERROR: cannot grade" in done.stdout + done.stderr and "Traceback" not in done.stdout + done.stderr


def test_hung_hand_in_under_pytest_timeout(empty: Path) -> None:
    """The grader's own deadlines hold under pytest-timeout: a hung component costs its lines and no more."""
    path = empty / "transformer_block.py"
    path.write_text(STUB.read_text(encoding="utf-8") + "while True: pass\n", encoding="utf-8")
    done = _pytest("--submission", path, "--timeout", "60", cwd=empty)
    assert (done.returncode, _counts(done)) == (1, {"failed": len(RUBRIC)}), done.stdout


@pytest.mark.parametrize("spelling", ["--submission {}", "--submission={}"])
@pytest.mark.parametrize("where", ["beside", "elsewhere"])
def test_conftest_beside_the_file_is_not_run(trapped: Path, empty: Path, where: str, spelling: str) -> None:
    """Neither conftest.py nor tests nor modules beside the hand-in are run, in its folder or in another."""
    cwd = trapped.parent if where == "beside" else empty
    done = _pytest(*spelling.format(trapped).split(), cwd=cwd)
    assert not (trapped.parent / "ran").exists()
    assert (done.returncode, _counts(done)) == (0, {"passed": len(RUBRIC)}), done.stdout


@pytest.mark.parametrize("where", ["beside", "elsewhere"])
def test_settings_beside_the_file_are_not_used(trapped: Path, empty: Path, where: str) -> None:
    """With pytest's own `-c` the settings beside the hand-in are not read, and their plugins not loaded."""
    settings = "[pytest]\naddopts = -p evil\npythonpath = .\n"
    (trapped.parent / "pytest.ini").write_text(settings, encoding="utf-8")
    cwd = trapped.parent if where == "beside" else empty
    done = _pytest("-c", "/dev/null", "--submission", trapped, cwd=cwd)
    assert not (trapped.parent / "ran").exists()
    assert (done.returncode, _counts(done)) == (0, {"passed": len(RUBRIC)}), done.stdout
