"""`grader check`: the forms of its report, and the places it goes to."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from grader.records import COMPONENTS
from grader.rubric import RUBRIC
from tests.hand_ins import REFERENCE, ROOT, STUB, broken, check, environment

TOP = (
    "schema", "submission", "seed", "score", "max_score", "components", "results", "diagnoses", "notices",
    "environment", "seconds",
)  # fmt: skip
RESULT = (
    "id", "component", "property", "claim", "status", "points", "max_points", "message", "hint", "seconds"
)  # fmt: skip
STATUSES = {"passed", "failed", "todo", "raised", "timeout", "memory", "died", "unloadable", "blocked"}


@pytest.fixture
def wrong(tmp_path: Path) -> Path:
    """A hand-in with a fault in one component, in a folder of its own."""
    path = tmp_path / "hand-in é" / "block.py"
    path.parent.mkdir()
    path.write_text(broken("FeedForward", "print('é'); return x"), encoding="utf-8")
    return path


def test_json_has_the_documented_keys(wrong: Path) -> None:
    """Every level of the JSON report has the keys of schema 1, in order, and no other."""
    report = json.loads(check(wrong, "--format", "json").stdout)
    assert tuple(report) == TOP and report["schema"] == 1
    assert list(report["submission"]) == ["name", "sha256"]
    assert {tuple(component) for component in report["components"]} == {("name", "score", "max_score")}
    assert {tuple(line) for line in report["results"]} == {RESULT}
    assert {tuple(notice) for notice in report["notices"]} == {("component", "text")}
    assert list(report["environment"]) == ["grader", "python", "platform", "isolation"]


def test_json_adds_up(wrong: Path) -> None:
    """Points are integers, a status is a documented one, components and totals are the sums of their lines."""
    report = json.loads(check(wrong, "--format", "json").stdout)
    lines = report["results"]
    assert {type(line[key]) for line in lines for key in ("points", "max_points")} == {int}
    assert {line["status"] for line in lines} <= STATUSES
    for component in report["components"]:
        own = [line for line in lines if line["component"] == component["name"]]
        assert component["score"] == sum(line["points"] for line in own)
    assert report["score"] == sum(line["points"] for line in lines) == sum(c["score"] for c in report["components"])


def test_json_is_the_same_twice(wrong: Path) -> None:
    """Two runs with one seed differ in seconds only."""
    runs = [json.loads(check(wrong, "--format", "json", "--seed", "5").stdout) for _ in range(2)]
    for report in runs:
        report["seconds"] = 0
        for line in report["results"]:
            line["seconds"] = 0
    assert runs[0] == runs[1]


def test_junit_has_a_case_for_every_line(wrong: Path) -> None:
    """JUnit has one case for each line of the rubric, and what lost points is marked with its message."""
    done = check(wrong, "--format", "junit")
    root = ET.fromstring(done.stdout)
    cases = list(root.iter("testcase"))
    assert (done.returncode, len(cases), root.get("tests")) == (1, len(RUBRIC), str(len(RUBRIC)))
    marked = [case for case in cases if any(case.find(tag) is not None for tag in ("failure", "error", "skipped"))]
    assert {case.get("classname") for case in marked} == {"FeedForward"}


def test_terminal_fits_80_columns(wrong: Path) -> None:
    """Away from a terminal the report is at most 80 columns of plain text, with every component and the score."""
    done = check(wrong, "--format", "terminal")
    lines = done.stdout.splitlines()
    assert max(map(len, lines)) <= 80 and "\x1b" not in done.stdout
    assert [line.split()[0] for line in lines if line and line.split()[0] in COMPONENTS] == list(COMPONENTS)
    assert any(line.startswith("Score ") for line in lines)


@pytest.mark.parametrize(("path", "status"), [(STUB, 1), (REFERENCE, 0)], ids=["stub", "reference"])
@pytest.mark.parametrize("form", ["terminal", "json", "junit"])
def test_output_holds_the_whole_report(tmp_path: Path, form: str, path: Path, status: int) -> None:
    """--output gives the same exit status, one line on stdout, and a whole report in the file and nothing beside it."""
    target = tmp_path / "report"
    done = check(path, "--format", form, "--output", target)
    assert (done.returncode, len(done.stdout.splitlines()), done.stderr) == (status, 1, "")
    assert [entry.name for entry in tmp_path.iterdir()] == ["report"]
    text = target.read_text(encoding="utf-8")
    score = 0 if status else 100
    if form == "json":
        assert json.loads(text)["score"] == score
    elif form == "junit":
        assert ET.parse(target).getroot().get("tests") == str(len(RUBRIC))
    else:
        assert f"Score {score}/100" in text


def test_closed_pipe_is_no_traceback() -> None:
    """When whoever reads the report has gone, the command ends without a word and not as if it had graded."""
    process = subprocess.Popen(
        [sys.executable, "-m", "grader", "check", STUB],
        cwd=ROOT,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout and process.stderr
    process.stdout.close()
    with process.stderr:
        assert (process.stderr.read(), process.wait()) == (b"", 3)


def test_junit_names_its_own_encoding(tmp_path: Path) -> None:
    """The XML declares the encoding that the file has, whatever the locale is: it parses as bytes."""
    path, target = tmp_path / "block.py", tmp_path / "report.xml"
    path.write_text(broken("FeedForward", "raise ValueError('é')"), encoding="utf-8")
    check(path, "--format", "junit", "--output", target, LC_ALL="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0")
    assert "ValueError: é" in "".join(ET.parse(target).getroot().itertext())


def test_ascii_terminal_gets_ascii(wrong: Path) -> None:
    """A terminal that shows ASCII only gets ASCII, with marks it can show and no question marks in their place."""
    done = check(wrong, PYTHONIOENCODING="ascii")
    assert done.stdout.isascii() and "  + all " in done.stdout and "?  " not in done.stdout


@pytest.mark.parametrize("form", ["json", "junit"])
def test_machine_forms_survive_an_ascii_terminal(tmp_path: Path, form: str) -> None:
    """What machines read loses no character on the way, whatever the terminal's encoding."""
    path = tmp_path / "bloc_é.py"
    path.write_text(STUB.read_text(encoding="utf-8"), encoding="utf-8")
    done = check(path, "--format", form, PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    if form == "json":
        assert json.loads(done.stdout)["submission"]["name"] == "bloc_é.py"
    else:
        assert {case.get("file") for case in ET.fromstring(done.stdout).iter("testcase")} == {"bloc_é.py"}


def test_other_working_directory(wrong: Path) -> None:
    """The command works from any folder and reads the file relative to it."""
    done = check(wrong.name, "--format", "json", cwd=wrong.parent)
    assert json.loads(done.stdout)["submission"]["name"] == "block.py"


def test_files_beside_the_hand_in_are_not_run(wrong: Path) -> None:
    """Modules in the working directory, named as the grader's own or Python's, are left alone."""
    for name in ("engine.py", "nn.py", "sitecustomize.py", "conftest.py"):
        (wrong.parent / name).write_text("open('ran', 'w').close(); raise SystemExit(9)", encoding="utf-8")
    done = check(wrong.name, cwd=wrong.parent)
    assert done.returncode == 1 and not (wrong.parent / "ran").exists()
