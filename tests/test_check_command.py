"""`grader check` as a command: what it grades, what it prints, and the exit status it ends with."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from grader.cli import main
from grader.records import COMPONENTS
from grader.rubric import RUBRIC
from tests.hand_ins import REFERENCE, STUB, broken, check, environment, filled, whole_text

POINTS: dict[str, int] = {name: sum(line.points for line in RUBRIC if line.component == name) for name in COMPONENTS}
RECURSIVE = """
    def backward(self):
        topo = []
        visited = set()
        def build_topo(v):
            if v not in visited:
                visited.add(v)
                for child in v._prev:
                    build_topo(child)
                topo.append(v)
        build_topo(self)
        self.grad = 1.0
        for node in reversed(topo):
            node._backward()
"""
# 32 MiB in each of the first 32 calls, so that no single call takes long.
GIGABYTE = "global done; done = globals().get('done', 0) + 1; done > 32 or print('x' * (2**25 - 1))"


def _hand_in(folder: Path, text: str) -> Path:
    path = folder / "transformer_block.py"
    path.write_text(text, encoding="utf-8")
    return path


def _report(path: Path, *options: str) -> tuple[int, dict[str, Any]]:
    """Exit status and report as JSON; nothing else was printed."""
    done = check(path, "--format", "json", *options)
    assert done.stderr == ""
    report: dict[str, Any] = json.loads(done.stdout)
    return done.returncode, report


def _scores(report: dict[str, Any]) -> dict[str, int]:
    return {component["name"]: component["score"] for component in report["components"]}


def _statuses(report: dict[str, Any], component: str) -> set[str]:
    return {line["status"] for line in report["results"] if line["component"] == component}


def test_stub_is_all_todo() -> None:
    """The stub has 0/100, every line says `todo`, and the exit status is 1."""
    status, report = _report(STUB)
    assert (status, report["score"], report["max_score"]) == (1, 0, 100)
    assert set().union(*(_statuses(report, name) for name in COMPONENTS)) == {"todo"}


def test_stub_is_graded_by_default() -> None:
    """Without a file the stub's path is graded."""
    done = check()
    assert done.returncode == 1 and "Score 0/100   transformer_block.py" in done.stdout


@pytest.mark.parametrize("seed", range(20))
def test_reference_has_full_marks(seed: int, capsys: pytest.CaptureFixture[str]) -> None:
    """The reference has 100/100 and exit status 0, whatever the seed."""
    assert main(["check", str(REFERENCE), "--seed", str(seed)]) == 0
    assert f"Score 100/100   transformer_block.py, seed {seed}," in capsys.readouterr().out


@pytest.mark.parametrize("backward", [None, RECURSIVE], ids=["given", "recursive"])
def test_whole_text_has_full_marks(tmp_path: Path, backward: str | None) -> None:
    """The exercise's text as one file, filled in, scores as the stub filled in; also with the text's own backward."""
    status, report = _report(_hand_in(tmp_path, whole_text(backward)))
    assert (status, report["score"]) == (0, 100), [line for line in report["results"] if line["status"] != "passed"]


@pytest.mark.parametrize("name", COMPONENTS)
def test_one_component_filled_in(tmp_path: Path, name: str) -> None:
    """A component filled in alone gets all its marks, the block too; the others stay `todo`."""
    status, report = _report(_hand_in(tmp_path, filled(name)))
    assert (status, _scores(report)) == (1, {other: POINTS[other] if other == name else 0 for other in COMPONENTS})
    assert [_statuses(report, other) for other in COMPONENTS if other != name] == [{"todo"}] * 3


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "The file is empty"),
        (" \n\n", "The file is empty"),
        (filled() + "def broken(:\n", "SyntaxError"),
        (filled() + "import numpy\n", "ModuleNotFoundError"),
        (filled() + "import os; os._exit(0)\n", "exit status 0"),
        (filled() + "while True: pass\n", "never finished loading"),
    ],
    ids=["empty", "blank", "syntax error", "numpy", "os._exit", "endless"],
)
def test_unloadable_file_has_a_full_report(tmp_path: Path, text: str, words: str) -> None:
    """A file that cannot be loaded gets every line of the report, `unloadable`, and is told why."""
    status, report = _report(_hand_in(tmp_path, text))
    assert (status, report["score"], report["max_score"]) == (1, 0, 100)
    assert {(line["status"], words in line["message"]) for line in report["results"]} == {("unloadable", True)}
    assert [line["id"] for line in report["results"]] == [line.id for line in RUBRIC]


@pytest.mark.parametrize(
    ("line", "status"), [("while True: pass", "timeout"), ("import os; os._exit(0)", "died"), ("exit()", "raised")]
)
@pytest.mark.parametrize("name", ["MultiHeadAttention", "TransformerBlock"])
def test_misbehaving_component_costs_itself_alone(tmp_path: Path, name: str, line: str, status: str) -> None:
    """A component that hangs, ends the process or exits loses its marks, and the other three keep all of theirs."""
    code, report = _report(_hand_in(tmp_path, broken(name, line)))
    assert code == 1 and status in _statuses(report, name)
    assert _scores(report) == {**POINTS, name: 0}


def test_gigabyte_of_prints_costs_nothing(tmp_path: Path) -> None:
    """1 GB printed by one method is dropped: full marks, and a notice with the number of bytes."""
    status, report = _report(_hand_in(tmp_path, broken("LayerNorm", GIGABYTE)))
    assert (status, report["score"]) == (0, 100)
    assert [str(2**30) in notice["text"].replace(",", "") for notice in report["notices"]] == [True]


def test_gigabyte_past_python_costs_its_component_alone(tmp_path: Path) -> None:
    """1 GB written straight to descriptor 1 is not kept, and the other components have their marks."""
    line = "import os; [os.write(1, bytes(2**16)) for _ in range(2**14)]"
    status, report = _report(_hand_in(tmp_path, broken("LayerNorm", line)))
    assert (status, _scores(report)) == (1, {**POINTS, "LayerNorm": 0})


@pytest.mark.parametrize(
    "arguments",
    [
        ("nothing/here.py",),
        (str(STUB.parent),),
        ("--no-such-option",),
        (str(STUB), "--format", "pdf"),
        (str(STUB), "--component", "Attention"),
        (str(STUB), "--pass-mark", "101"),
        (str(STUB), "--pass-mark", "-1"),
        (str(STUB), "--pass-mark", "many"),
        (str(STUB), "--seed", "x"),
        (str(STUB), str(REFERENCE)),
        (str(STUB), "--output", "nothing/here.json"),
    ],
    ids=" ".join,
)
def test_wrong_usage(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    """Wrong usage ends with exit status 2, words on stderr, nothing on stdout and no traceback."""
    done = check(*arguments, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr and "Traceback" not in done.stderr


@pytest.mark.parametrize("name", ["nothing", ""])
def test_no_command_is_wrong_usage(name: str) -> None:
    """An unknown command, or none, ends with exit status 2."""
    done = subprocess.run(
        [sys.executable, "-m", "grader", *name.split()], env=environment(), capture_output=True, check=False
    )
    assert done.returncode == 2


@pytest.mark.parametrize(("mark", "status"), [("0", 0), ("18", 0), ("19", 1), ("100", 1)])
def test_pass_mark(tmp_path: Path, mark: str, status: int) -> None:
    """From the pass mark on the exit status is 0, below it 1."""
    assert check(_hand_in(tmp_path, filled("LayerNorm")), "--pass-mark", mark).returncode == status


def test_component(tmp_path: Path) -> None:
    """--component grades the named ones alone, and full marks in these are exit status 0."""
    status, report = _report(
        _hand_in(tmp_path, filled("LayerNorm", "FeedForward")), "--component", "LayerNorm", "--component", "FeedForward"
    )
    assert (status, report["score"], report["max_score"]) == (0, 32, 32)
    assert list(_scores(report)) == ["LayerNorm", "FeedForward"]


def test_the_oracle_adds_a_notice(capsys: pytest.CaptureFixture[str]) -> None:
    """The reference equals itself with all parameters different; its marks stay."""
    assert main(["check", str(REFERENCE), "--oracle", "--format", "json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert [n["text"].rpartition(": ")[2] for n in report["notices"]] == [", ".join(COMPONENTS) + "."]
