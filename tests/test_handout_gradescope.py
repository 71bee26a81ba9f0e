"""Gradescope's autograder in the documented folders: the real scripts, every kind of submission, one valid file."""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from grader.grading import Grader
from grader.handout import Order, build
from grader.handout.archive import Files, write_below, zipped
from grader.handout.gradescope import NAME, autograder
from grader.kit import Kit
from grader.records import COMPONENTS, UsageError
from grader.submission import read
from tests.hand_ins import REFERENCE, ROOT, STUB, broken, run
from tests.test_render_gradescope import valid

KIT = Kit.here()
CORPUS = ROOT / "tests" / "submissions"
RIGHT = REFERENCE.read_bytes()
SEARCHED = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
Laid: TypeAlias = Callable[..., Path]

pytestmark = pytest.mark.skipif(shutil.which("bash") is None, reason="Gradescope's scripts need bash")


@pytest.fixture(scope="module")
def files() -> Files:
    """What is in the zip."""
    return autograder(KIT, Order(Path()))


@pytest.fixture
def lay(tmp_path: Path, files: Files) -> Laid:
    """Makes Gradescope's folders, set up by setup.sh, with these files handed in."""

    def laid(submission: Files, more: Files | None = None, metadata: Any = None) -> Path:
        root = tmp_path / "auto grader é"
        write_below(root / "source", {**files, **(more or {})})
        (root / "submission").mkdir()
        write_below(root / "submission", submission)
        (root / "results").mkdir()
        if metadata is not None:
            (root / "submission_metadata.json").write_text(json.dumps(metadata), encoding="utf-8")
        done = run("bash", root / "source" / "setup.sh", env=environment(root))
        assert done.returncode == 0 and done.stdout.startswith("grader "), done.stderr
        shutil.copy(root / "source" / "run_autograder", root / "run_autograder")
        return root

    return laid


def environment(root: Path, path: str = SEARCHED) -> dict[str, str]:
    """Nothing but where programs are and where the folders lie."""
    return {"PATH": path, "AUTOGRADER_ROOT": str(root)}


def graded(root: Path, path: str = SEARCHED) -> dict[str, Any]:
    """results.json after run_autograder, which must end well and leave no other file."""
    done = run(root / "run_autograder", cwd=root, env=environment(root, path))
    assert done.returncode == 0, done.stderr
    assert [path.name for path in (root / "results").iterdir()] == ["results.json"]
    return valid((root / "results" / "results.json").read_text(encoding="utf-8"))


def total(form: Mapping[str, Any]) -> float:
    """What Gradescope shows as the score."""
    return float(form["score"] if "score" in form else sum(test["score"] for test in form["tests"]))


def notebook(text: str) -> bytes:
    """A notebook with one cell of code."""
    cell = {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None, "source": text}
    return json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}).encode()


def test_zip_is_as_documented(files: Files) -> None:
    """Two scripts at the root that may be executed, the grader and the exercise; the same bytes twice."""
    archive = zipped(files)
    assert archive == zipped(autograder(KIT, Order(Path())))
    with zipfile.ZipFile(io.BytesIO(archive)) as opened:
        modes = {info.filename: info.external_attr >> 16 & 0o777 for info in opened.infolist()}
    assert {name for name, mode in modes.items() if mode & 0o111} == {"setup.sh", "run_autograder"}
    assert {name.split("/")[0] for name in modes if "/" in name} == {"grader", "exercise"}


def test_scripts_pass_shellcheck(files: Files, tmp_path: Path) -> None:
    """ShellCheck has nothing to say about them."""
    if shutil.which("shellcheck") is None:
        pytest.skip("needs Debian's shellcheck")
    write_below(tmp_path, {name: files[name] for name in ("setup.sh", "run_autograder")})
    done = run(
        "shellcheck", "--enable=all", "--exclude=SC2250,SC2310,SC2312", "setup.sh", "run_autograder", cwd=tmp_path
    )
    assert done.stdout == "" and done.returncode == 0


def test_reference_gets_everything(lay: Laid) -> None:
    """100 points, from the tests alone; there is no leaderboard, and students do not see stdout."""
    form = graded(lay({"transformer_block.py": RIGHT}))
    assert total(form) == 100 and "score" not in form and form["extra_data"]["finished"] is True
    assert "leaderboard" not in form and form["stdout_visibility"] == "hidden"


def test_stub_gets_nothing_and_is_all_to_do(lay: Laid) -> None:
    """Every line of the rubric says todo."""
    form = graded(lay({"transformer_block.py": STUB.read_bytes()}))
    assert total(form) == 0 and {test["tags"][2] for test in form["tests"]} == {"todo"}


@pytest.mark.parametrize("name", ["cleo_ln_unbiased_variance.py", "dan_scale_no_sqrt.py"])
def test_wrong_hand_in_gets_what_a_check_gives(lay: Laid, name: str) -> None:
    """Line by line the points of `grader check`, though components are asked one after the other here."""
    form = graded(lay({"transformer_block.py": (CORPUS / "wrong" / name).read_bytes()}))
    report = Grader(KIT).grade(read(CORPUS / "wrong" / name))
    assert [test["score"] for test in form["tests"]] == [r.points for c in COMPONENTS for r in report.of(c)]
    assert all(diagnosis.sentence in form["output"] for diagnosis in report.diagnoses) and report.diagnoses


@pytest.mark.parametrize("name", ["c05_results_written", "c02_hard_exit_at_import", "c06_forged_report", "e20_input"])
def test_hostile_hand_in_gains_nothing(lay: Laid, name: str) -> None:
    """Writing results, ending the process, printing a report, waiting for input: a valid file and the points earned."""
    form = graded(lay({"transformer_block.py": (CORPUS / "hostile" / f"{name}.py").read_bytes()}))
    assert form["extra_data"]["finished"] is True and len(form["tests"]) > 30
    assert total(form) == Grader(KIT).grade(read(CORPUS / "hostile" / f"{name}.py")).score < 100


@pytest.mark.parametrize(
    ("submission", "notice"),
    [
        ({"mine.py": RIGHT}, "The file is named mine.py"),
        ({"hw 3/src/transformer_block.py": RIGHT, "hw 3/notes.txt": b"hello"}, ""),
        ({"transformer_block.ipynb": notebook(RIGHT.decode())}, ""),
        ({"transformer_block (1).py": RIGHT, "engine.py": b"", "nn.py": b""}, ""),
        ({"everything.zip": zipped({"deep/transformer_block.py": RIGHT, "__MACOSX/._x.py": b"x"})}, ""),
        ({"transformer_block.py": RIGHT, "test_mine.py": b"import transformer_block"}, ""),
    ],
    ids=["misnamed", "in a folder", "notebook", "with the given code", "zip", "with tests"],
)
def test_the_hand_in_is_found(lay: Laid, submission: Files, notice: str) -> None:
    """Whatever it is called and wherever it lies, the one hand-in is graded."""
    form = graded(lay(submission))
    assert total(form) == 100 and notice in form["output"]


@pytest.mark.parametrize(
    ("submission", "words"),
    [
        ({}, "found nothing"),
        ({"report.pdf": b"%PDF"}, "no transformer_block.py: found report.pdf"),
        ({"a.py": RIGHT, "b.py": RIGHT}, "several candidates, so none was graded: found a.py, b.py"),
        ({"x.zip": zipped({"a.py": RIGHT, "b.py": RIGHT})}, "x.zip: several candidates"),
        ({"x.zip": b"PK\x03\x04 broken"}, "x.zip"),
    ],
    ids=["nothing", "something else", "several", "several in a zip", "broken zip"],
)
def test_what_cannot_be_graded_is_said(lay: Laid, submission: Files, words: str) -> None:
    """The student reads which files were found, and what was looked for."""
    form = graded(lay(submission))
    assert form["output"].startswith("Nothing was graded") and words in form["output"] and form["tests"] == []


def earlier(*submissions: tuple[float, bool]) -> dict[str, Any]:
    """Gradescope's metadata with these earlier submissions: score, and whether they were graded to the end."""
    past = [{"submission_time": "", "score": s, "results": {"extra_data": {"finished": f}}} for s, f in submissions]
    return {"previous_submissions": past, "assignment": {"total_points": "100.0"}}


@pytest.mark.parametrize(
    ("metadata", "score"),
    [
        (None, 0),
        (earlier(), 0),
        (earlier((42, True), (87.5, True), (0, False)), 87.5),
        ({"previous_submissions": [{"score": "x"}]}, 0),
        ("no object", 0),
    ],
)
def test_a_broken_grader_takes_no_mark(lay: Laid, metadata: Any, score: float) -> None:
    """The text says whose fault it is, and the score is that of the last submission that was graded."""
    root = lay({"transformer_block.py": RIGHT}, metadata=metadata)
    (root / "source" / "exercise" / "engine.py").unlink()
    form = graded(root)
    assert total(form) == score and form["extra_data"]["finished"] is False
    assert "not your hand-in's fault" in form["output"] and "given code is missing" in form["output"]


def test_without_python_the_file_is_valid(lay: Laid, tmp_path: Path) -> None:
    """The shell alone has written a results.json that says that the grader was stopped."""
    root = lay({"transformer_block.py": RIGHT})
    programs = tmp_path / "programs"
    programs.mkdir()
    for name in ("bash", "env", "mkdir", "cp", "mv", "chmod"):
        (programs / name).symlink_to(str(shutil.which(name)))
    form = graded(root, str(programs))
    assert form["extra_data"] == {"finished": False} and "not your hand-in's fault" in form["output"]


def states(root: Path) -> Iterator[str]:
    """Every content of results.json from the start of run_autograder to its end."""
    process = subprocess.Popen(
        [root / "run_autograder"], cwd=root, env=environment(root), stdout=subprocess.DEVNULL, start_new_session=True
    )
    results, last = root / "results" / "results.json", ""
    try:
        while True:
            ended = process.poll() is not None
            text = results.read_text(encoding="utf-8") if results.exists() else ""
            if text != last:
                yield text
                last = text
            if ended:
                return
            time.sleep(0.01)
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def test_results_are_whole_at_every_moment(lay: Laid) -> None:
    """First the placeholder, then the components so far, at last everything; each of them a valid file."""
    slow = broken("FeedForward", "while True: pass")
    forms = [valid(text) for text in states(lay({"transformer_block.py": slow.encode()}))]
    assert forms[0]["tests"] == [] and forms[0]["extra_data"] == {"finished": False}
    counts = [len(form["tests"]) for form in forms]
    assert counts == sorted(counts) and len(set(counts)) >= 3
    assert [form["extra_data"]["finished"] for form in forms] == [False] * (len(forms) - 1) + [True]
    assert 70 < total(forms[-1]) < 100


@pytest.mark.parametrize(("before", "score"), [(12, 40), (87.5, 87.5)])
def test_what_was_earned_stands_when_the_grader_is_killed(lay: Laid, before: float, score: float) -> None:
    """Gradescope's time limit ends everything: the parts graded by then count, or the earlier mark if it is more."""
    hanging = {"transformer_block.py": broken("LayerNorm", "while True: pass").encode()}
    root = lay(hanging, metadata=earlier((before, True)))
    for text in states(root):
        if text and valid(text)["tests"]:
            break
    form = valid((root / "results" / "results.json").read_text(encoding="utf-8"))
    assert total(form) == score and form["extra_data"]["finished"] is False
    assert sum(test["score"] for test in form["tests"]) == 40


def test_lines_are_shown_when_the_instructor_says(tmp_path: Path) -> None:
    """A component, a property and a line each have their moment; the rest is visible at once."""
    tiers = (("LayerNorm", "after_published"), ("gradient", "hidden"), ("FeedForward.relu", "after_due_date"))
    files = autograder(KIT, Order(tmp_path, tiers=tiers))
    write_below(tmp_path / "source", files)
    write_below(tmp_path / "submission", {"transformer_block.py": RIGHT})
    done = run(sys.executable, "-m", "grader", "gradescope", tmp_path, cwd=tmp_path / "source", env={})
    assert done.returncode == 0, done.stderr
    tests = valid((tmp_path / "results" / "results.json").read_text(encoding="utf-8"))["tests"]
    shown = {test["name"].partition(":")[0]: test["visibility"] for test in tests}
    assert shown["LayerNorm.eps"] == "after_published" and shown["TransformerBlock.gradient"] == "hidden"
    assert shown["FeedForward.relu"] == "after_due_date" and shown["FeedForward.values"] == "visible"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--show", "Nothing=hidden"), "nothing in the rubric is called Nothing"),
        (("--show", "LayerNorm=never"), "expected NAME=hidden|"),
        (("--key-file", "nowhere"), "cannot read the key nowhere"),
        (("novel",), "there is no part novel"),
    ],
)
def test_wrong_usage_is_said(tmp_path: Path, arguments: tuple[str, ...], words: str) -> None:
    """Exit status 2, what was expected, and nothing written."""
    part = () if "novel" in arguments else ("gradescope",)
    done = run(sys.executable, "-m", "grader", "handout", *part, "--into", tmp_path / "out", *arguments)
    assert done.returncode == 2 and words in done.stderr
    assert not (tmp_path / "out").exists()


def test_without_a_solution_there_is_no_autograder(tmp_path: Path) -> None:
    """Nothing could be proved, nor recorded under a private seed."""
    with pytest.raises(UsageError, match="from the full kit"):
        build("gradescope", Kit(KIT.exercise, None), Order(tmp_path / "out"))
    assert not (tmp_path / "out").exists()


@pytest.mark.timeout(300)  # asks the reference everything under a seed that is not recorded: a minute on a busy machine
def test_a_key_makes_the_questions_private(tmp_path: Path) -> None:
    """The zip holds the numbers expected under the key's seed, and not the key; marks are as under any seed."""
    key = tmp_path / "key"
    key.write_text("0123456789abcdef0123456789abcdef", encoding="utf-8")
    told = build("gradescope", KIT, Order(tmp_path, key=key))
    assert "private seed" in " ".join(told)
    with zipfile.ZipFile(tmp_path / NAME) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    assert {"grader/private.json.gz", "grader/private_blocks.json.gz"} <= files.keys()
    assert not any(key.read_bytes() in data for data in files.values())
    write_below(tmp_path / "source", files)
    wrong = (CORPUS / "wrong" / "cleo_ln_unbiased_variance.py").read_bytes()
    write_below(tmp_path / "submission", {"transformer_block.py": wrong})
    done = run(sys.executable, "-m", "grader", "gradescope", tmp_path, cwd=tmp_path / "source", env={})
    form = valid((tmp_path / "results" / "results.json").read_text(encoding="utf-8"))
    assert (total(form), done.returncode) == (91, 0) and form["extra_data"]["seed"] > 10**6
    assert re.search("Likely cause in LayerNorm", form["output"])
    assert str(form["extra_data"]["seed"]) not in json.dumps({**form, "extra_data": {}})
