"""What `grader pr` leaves behind: log, annotations, summary, JUnit and JSON, also where a hand-in writes into them."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from grader.records import Reason, Ungraded
from grader.render import ungraded
from tests.hand_ins import REFERENCE, broken
from tests.hostile import EVERYTHING, TRICKS
from tests.pull_requests import FILE, Course, course, put
from tests.test_render_github import commands
from tests.test_render_markdown import outside

RIGHT = put(FILE, REFERENCE.read_text(encoding="utf-8"))
FULL, LOST, BROKEN, REFUSED = 0, 1, 3, 4
LOUD = "::error file=x::owned\n::set-output name=a::owned\n##[error]owned\n```\n````\n# owned\n<img src=x>@everyone\n"
FORMS = ("report.json", "junit.xml", "summary.md")
# Landlock takes sixteen rulesets on top of each other, and these use them up: what a kernel without it looks like.
NO_LANDLOCK = """
import ctypes, os, sys
libc = ctypes.CDLL(None, use_errno=True)
libc.prctl(38, 1, 0, 0, 0)
rights = ctypes.c_uint64(1 << 6)
for _ in range(16):
    libc.syscall(446, libc.syscall(444, ctypes.byref(rights), 8, 0), 0)
os.execv(sys.argv[1], sys.argv[1:])
"""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Course:
    """One course for all tests here."""
    return course(tmp_path_factory.mktemp("course"))


@pytest.fixture(scope="module")
def loud(made: Course) -> str:
    """A head whose hand-in prints, and raises, what would be commands and markup."""
    return made.head(put(FILE, broken("LayerNorm", f"print({LOUD!r}); raise ValueError({LOUD!r})")))


def guarded(log: str) -> tuple[str, str]:
    """What stands between the command that stops commands and its end, and what comes after."""
    found = re.fullmatch(r"(?s)::stop-commands::(\w{32})\n(.*)\n::\1::\n(.*)", log)
    assert found, log
    return found[2], found[3]


def test_commands_of_a_hand_in_are_not_taken(made: Course, loud: str) -> None:
    """What people read is behind stop-commands, under a name that nobody can know; the rest is the grader's own."""
    done = made.grade("--head", loud, "--annotations")
    shown, after = guarded(done.stdout)
    assert done.returncode == LOST and "owned" in shown
    assert {command.name for command in commands(after)} == {"error", "notice"}
    assert made.grade("--head", loud, "--annotations").stdout.split("\n")[0] != done.stdout.split("\n")[0]


def test_on_a_runner_the_log_is_guarded_without_annotations(made: Course, loud: str) -> None:
    """A workflow that asks for nothing is safe, too."""
    done = made.grade("--head", loud, GITHUB_ACTIONS="true")
    assert guarded(done.stdout)[1] == ""


def test_annotations_stand_on_the_students_lines(made: Course) -> None:
    """The path is the repository's, the line that of the fault, and Classroom's notices come last."""
    text = broken("LayerNorm", "raise ValueError('no')")
    done = made.grade("--head", made.head(put(FILE, text)), "--annotations")
    first, *_, complete, told = commands(guarded(done.stdout)[1])
    assert first.properties["file"] == FILE
    assert text.splitlines()[int(first.properties["line"]) - 1].strip() == "raise ValueError('no')"
    assert complete.properties["title"] == "Autograding complete" and told.data.startswith('{"totalPoints":')


def test_every_form_is_written(made: Course, loud: str, tmp_path: Path) -> None:
    """--out has the artifact; single files can be named beside it."""
    out, one = tmp_path / "deep" / "out", tmp_path / "one.md"
    made.grade("--head", loud, "--out", out, "--summary", one)
    assert sorted(path.name for path in out.iterdir()) == sorted(FORMS)
    assert one.read_bytes() == (out / "summary.md").read_bytes()
    report = json.loads((out / "report.json").read_text(encoding="utf-8"))
    assert report["schema"] == 1 and report["score"] < report["max_score"] == 100


def test_the_summary_is_not_the_hand_ins(made: Course, loud: str, tmp_path: Path) -> None:
    """What it printed or raised stands in a fence, below GitHub's limit."""
    made.grade("--head", loud, "--summary", tmp_path / "s.md")
    text = (tmp_path / "s.md").read_text(encoding="utf-8")
    assert "owned" in text and "owned" not in outside(text) and len(text.encode()) < 2**20


def test_junit_names_the_file_in_the_repository(made: Course, loud: str, tmp_path: Path) -> None:
    """GitLab links a failed case by it."""
    made.grade("--head", loud, "--junit", tmp_path / "j.xml")
    root = ET.fromstring((tmp_path / "j.xml").read_bytes())
    assert {case.get("file") for case in root.iter("testcase")} == {FILE}
    assert any(suite.get("errors") != "0" for suite in root.iter("testsuite"))


def test_a_refused_change_is_written_everywhere(made: Course, tmp_path: Path) -> None:
    """No form looks like a pass, and none has a score."""
    head = made.head(put("grader/rubric.py", "x"))
    done = made.grade("--head", head, "--out", tmp_path, "--annotations")
    shown, after = guarded(done.stdout)
    assert done.returncode == REFUSED and shown.startswith("Refused: nothing was graded.")
    assert [command.name for command in commands(after)] == ["error"]
    report = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
    assert report.keys() == {"schema", "ungraded"} and report["ungraded"]["kind"] == "refused"
    assert ET.fromstring((tmp_path / "junit.xml").read_bytes()).get("errors") == "1"
    assert (tmp_path / "summary.md").read_text(encoding="utf-8").startswith("## ⛔ Refused: nothing was graded\n")


@pytest.mark.skipif(sys.platform != "linux", reason="isolation `files` is there on Linux only")
def test_without_isolation_nothing_is_graded(made: Course, tmp_path: Path) -> None:
    """Below `files`: status 3, a line that says what is missing, and no score in any form."""
    head = made.head(RIGHT)
    script = tmp_path / "python"
    script.write_text(f"#!/bin/sh\nexec '{sys.executable}' -c \"$CODE\" '{sys.executable}' \"$@\"\n", encoding="utf-8")
    script.chmod(0o755)
    out = tmp_path / "out"
    done = made.grade("--head", head, "--out", out, python=str(script), CODE=NO_LANDLOCK)
    assert done.returncode == BROKEN and done.stdout == ""
    assert "isolation 'files' is required" in done.stderr and "landlock" in done.stderr
    report = json.loads((out / "report.json").read_text(encoding="utf-8"))
    assert report["ungraded"]["kind"] == "broken" and '"score"' not in json.dumps(report)


REFUSAL = Ungraded("refused", FILE, (Reason(EVERYTHING, EVERYTHING, EVERYTHING, EVERYTHING), Reason(FILE, "is gone")))


def test_no_line_of_a_refusal_begins_with_a_name() -> None:
    """Neither a command nor a heading can be made of a path, whoever cuts the lines."""
    lines = ungraded.text(REFUSAL).splitlines()
    assert all(line.startswith(("Refused: ", "  - ", "    <script>")) for line in lines) and len(lines) == 4


def test_a_refusal_in_markdown_is_not_markup() -> None:
    """Outside of code there is no tag, no link and no mention."""
    text = ungraded.markdown(REFUSAL)
    bare = re.sub(r"`[^`\n]*`", "", text)
    assert re.findall(r"(?<!\\)[<\[]", bare) == [] and re.findall(r"@(?!\u200b)", text) == []
    assert all(re.match(r"## |Only |- |$", line) for line in text.split("\n"))


def test_a_refusal_as_a_command_is_one_command() -> None:
    """Percent signs, colons and line ends in a path stay in it."""
    (only,) = commands(ungraded.github(REFUSAL))
    assert only.name == "error" and only.properties == {"file": FILE, "title": "Refused: nothing was graded"}


@pytest.mark.parametrize("trick", TRICKS)
def test_a_refusal_as_xml_can_be_read(trick: str) -> None:
    """Whatever is in a path, the file is XML and UTF-8."""
    text = ungraded.junit(Ungraded("refused", FILE, (Reason(trick, "was added"),)))
    (error,) = ET.fromstring(text.encode("utf-8")).iter("error")
    assert "was added" in str(error.text)
