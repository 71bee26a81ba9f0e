"""The shell of the shipped workflows, step by step as a runner runs it, on real repositories."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
import yaml

from tests.github_stand_in import TOKEN, Hub, serving
from tests.hand_ins import REFERENCE, ROOT
from tests.pull_requests import FILE, Course, course, git, put
from tests.test_comment import REPOSITORY, event, pull

TEMPLATES = ROOT / ".github" / "templates"
RIGHT = put(FILE, REFERENCE.read_text(encoding="utf-8"))
FULL, REFUSED = 0, 4


@pytest.fixture
def made(tmp_path: Path) -> Course:
    """A course whose runner gets the student's repository as its origin, and no objects of it yet."""
    return course(tmp_path / "course")


@pytest.fixture
def programs(tmp_path: Path) -> Path:
    """A folder with this Python as python3."""
    folder = tmp_path / "programs"
    folder.mkdir()
    (folder / "python3").write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n', encoding="utf-8")
    (folder / "python3").chmod(0o755)
    return folder


def pushed(made: Course, change: Any) -> str:
    """A head that is only in the repository that the runner fetches from."""
    git(made.student, "checkout", "--quiet", "-B", "work", "main")
    change(made.student)
    git(made.student, "add", "--all", "--force")
    git(made.student, "commit", "--quiet", "--message", "my work")
    git(made.runner, "remote", "set-url", "origin", str(made.student))
    return git(made.student, "rev-parse", "work")


def shell(script: str, folder: Path, programs: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """A script as GitHub and GitLab run it: bash that stops at the first failure."""
    home = {"PATH": f"{programs}:{os.environ['PATH']}", "HOME": str(folder), "GIT_CONFIG_NOSYSTEM": "1", **variables}
    command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script]
    return subprocess.run(command, cwd=folder, env=home, capture_output=True, encoding="utf-8", check=False)


def steps(name: str, made: Course, programs: Path, context: Mapping[str, str], **variables: str) -> list[int]:
    """Runs a workflow's own steps, with expressions taken from ``context``; their statuses."""
    (job,) = yaml.safe_load((TEMPLATES / name).read_text(encoding="utf-8"))["jobs"].values()
    statuses = []
    for step in (step for step in job["steps"] if "run" in step):
        own = {key: _filled(value, context) for key, value in step.get("env", {}).items()}
        statuses.append(shell(step["run"], made.runner, programs, **variables, **own).returncode)
    return statuses


def _filled(value: str, context: Mapping[str, str]) -> str:
    return re.sub(r"\$\{\{ (.*?) \}\}", lambda found: context[found[1]], value)


def context(made: Course, head: str) -> dict[str, str]:
    """What GitHub puts in place of the expressions."""
    return {
        "github.event.pull_request.base.sha": git(made.runner, "rev-parse", "main"),
        "github.event.pull_request.head.sha": head,
        "github.event.workflow_run.head_sha": head,
        "github.sha": head,
        "github.token": TOKEN,
    }


@pytest.mark.parametrize(
    ("change", "status", "words"),
    [(RIGHT, FULL, "## ✅ 100 of 100 points"), (put("grader/rubric.py", "x"), REFUSED, "## ⛔ Refused")],
    ids=["right", "refused"],
)
def test_the_first_stage_grades(made: Course, programs: Path, change: Any, status: int, words: str) -> None:
    """The head is fetched and graded; summary and artifact are there, and nothing is checked out."""
    head = pushed(made, change)
    summary = made.runner.parent / "summary.md"
    variables = {"GITHUB_SERVER_URL": "https://github.com", "GITHUB_ACTIONS": "true"}
    variables |= {"GITHUB_STEP_SUMMARY": str(summary), "RUNNER_TEMP": str(made.runner.parent)}
    assert steps("grade.yml", made, programs, context(made, head), **variables) == [0, status]
    assert summary.read_text(encoding="utf-8").startswith(words)
    assert (made.runner.parent / "grade" / "report.json").is_file()
    assert git(made.runner, "rev-parse", "HEAD") != head and git(made.runner, "status", "--porcelain") == ""


def test_the_second_stage_comments(made: Course, programs: Path, tmp_path: Path) -> None:
    """The head's objects are fetched, and the comment is there: a refusal needs no artifact."""
    head = pushed(made, put(".github/workflows/grade.yml", "on: push"))
    (tmp_path / "event.json").write_text(json.dumps(event(head)), encoding="utf-8")
    with serving(Hub(pulls=[pull(head)])) as hub:
        variables = {"GITHUB_SERVER_URL": "https://github.com", "GITHUB_API_URL": hub.address, "no_proxy": "*"}
        variables |= {"GITHUB_EVENT_PATH": str(tmp_path / "event.json"), "GITHUB_REPOSITORY": REPOSITORY}
        assert steps("grade-comment.yml", made, programs, context(made, head), **variables) == [0, 0]
    assert "⛔ Refused" in hub.comments[0]["body"]


def test_classroom_grades_what_was_pushed(made: Course, programs: Path, tmp_path: Path) -> None:
    """Against the branch with what the student was given, which is checked out."""
    head = pushed(made, RIGHT)
    git(made.runner, "fetch", "--quiet", "origin")
    variables = {"GITHUB_STEP_SUMMARY": str(tmp_path / "summary.md")}
    assert steps("classroom.yml", made, programs, context(made, head), **variables) == [FULL]


@pytest.mark.parametrize(
    ("change", "status", "errors"),
    [(RIGHT, FULL, 0), (put("conftest.py", "x"), REFUSED, 1)],
    ids=["right", "refused"],
)
def test_gitlab_grades(made: Course, programs: Path, change: Any, status: int, errors: int) -> None:
    """From the project's repository with its refs of merge requests, in a folder of the job's own."""
    git(made.student, "update-ref", "refs/merge-requests/3/head", pushed(made, change))
    job = yaml.safe_load((TEMPLATES / "gitlab-ci.yml").read_text(encoding="utf-8"))["grade"]
    assert job["variables"] == {"GIT_STRATEGY": "none"}
    project = made.runner.parent / "project"
    project.mkdir()
    variables = {"CI_PROJECT_DIR": str(project), "CI_REPOSITORY_URL": str(made.student)}
    variables |= {"CI_MERGE_REQUEST_TARGET_BRANCH_NAME": "main", "CI_MERGE_REQUEST_IID": "3"}
    done = shell("\n".join(job["script"]), project, programs, **variables)
    assert done.returncode == status, done.stderr
    suites = ET.fromstring((project / job["artifacts"]["reports"]["junit"]).read_bytes())
    assert len(list(suites.iter("error"))) == errors and [path.name for path in project.iterdir()] == ["grade"]
