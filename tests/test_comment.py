"""`grader comment` against a server that answers as GitHub does: for whom it speaks, and what it never shows."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from grader.comment import MARKER
from tests.github_stand_in import REPOSITORY, TOKEN, Hub, serving
from tests.hand_ins import REFERENCE, broken
from tests.pull_requests import FILE, Course, course, put

RIGHT = put(FILE, REFERENCE.read_text(encoding="utf-8"))
BOT = {"login": "github-actions[bot]"}
FORK = {"full_name": "student/course", "owner": {"login": "student"}}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Course:
    """One course for all tests here."""
    return course(tmp_path_factory.mktemp("course"))


@pytest.fixture
def hub() -> Iterator[Hub]:
    """A server of its own for each test."""
    with serving(Hub()) as served:
        yield served


def pull(head: str, number: int = 12, **more: Any) -> dict[str, Any]:
    """A pull request as the API lists it."""
    return {"number": number, "head": {"label": "student:work", "sha": head, "repo": FORK, **more}}


def graded(made: Course, hub: Hub, head: str, out: Path) -> None:
    """The first stage: the head graded, its output zipped as the run's artifact, its pull request open."""
    made.grade("--head", head, "--out", out)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for path in out.iterdir():
            archive.write(path, path.name)
    hub.archive = packed.getvalue()
    hub.artifacts = [{"id": 5, "name": "grade", "expired": False, "size_in_bytes": len(hub.archive)}]
    hub.pulls = [pull(head)]


def event(head: str, **more: Any) -> dict[str, Any]:
    """What GitHub tells of a finished run; for forks it lists no pull requests."""
    run = {"id": 7, "event": "pull_request", "path": ".github/workflows/grade.yml", "head_sha": head}
    run |= {"head_branch": "work", "head_repository": FORK, "pull_requests": [], **more}
    return {"action": "completed", "workflow_run": run}


def comment(made: Course, hub: Hub, told: Any, folder: Path) -> subprocess.CompletedProcess[str]:
    """The second stage, in the checkout of the default branch."""
    path = folder / "event.json"
    path.write_text(told if isinstance(told, str) else json.dumps(told), encoding="utf-8")
    variables = {"GITHUB_EVENT_PATH": str(path), "GITHUB_REPOSITORY": REPOSITORY, "GITHUB_TOKEN": TOKEN}
    variables |= {"GITHUB_API_URL": hub.address, "GITHUB_SERVER_URL": "https://github.com", "no_proxy": "*"}
    command = [sys.executable, "-m", "grader", "comment"]
    home = {"PATH": os.environ["PATH"], "HOME": str(folder), **variables}
    return subprocess.run(command, cwd=made.runner, env=home, capture_output=True, encoding="utf-8", check=False)


def test_a_graded_pull_request_gets_its_report(made: Course, hub: Hub, tmp_path: Path) -> None:
    """The comment has the score, the reasons, the commit and the run."""
    head = made.head(put(FILE, broken("LayerNorm", "raise ValueError('no')")))
    graded(made, hub, head, tmp_path / "out")
    done = comment(made, hub, event(head), tmp_path)
    assert (done.returncode, done.stderr) == (0, "") and "pull request 12 was written." in done.stdout
    (written,) = hub.comments
    assert written["body"].startswith(f"{MARKER}\n## 📝 ") and "ValueError: no" in written["body"]
    assert f"`{head[:12]}`, [the run](https://github.com/school/course/actions/runs/7)" in written["body"]


def test_the_token_does_not_follow_a_redirection(made: Course, hub: Hub, tmp_path: Path) -> None:
    """Storage is another house; GitHub itself is told the token each time."""
    head = made.head(RIGHT)
    graded(made, hub, head, tmp_path / "out")
    comment(made, hub, event(head), tmp_path)
    tokens = {path.rpartition("/")[2]: token for _, path, token in hub.asked}
    assert tokens.pop("storage") is None and set(tokens.values()) == {f"Bearer {TOKEN}"}


def test_one_comment_is_written_over(made: Course, hub: Hub, tmp_path: Path) -> None:
    """The bot's own, however many others there are before it, and none of somebody who copied its first line."""
    head = made.head(RIGHT)
    graded(made, hub, head, tmp_path / "out")
    others = [{"id": k, "user": {"login": "ada"}, "body": f"{MARKER} mine"} for k in range(230)]
    hub.comments = [*others, {"id": 500, "user": BOT, "body": "other"}, {"id": 501, "user": BOT, "body": f"{MARKER}"}]
    done = comment(made, hub, event(head), tmp_path)
    assert done.returncode == 0 and "was written over." in done.stdout
    changed = [c["id"] for c in hub.comments if "## ✅ 100 of 100 points" in c["body"]]
    assert changed == [501] and len(hub.comments) == 232


def forged(hub: Hub) -> None:
    """An artifact that says all passed, in the very form that the grader reads."""
    with zipfile.ZipFile(io.BytesIO(hub.archive)) as archive:
        form = json.loads(archive.read("report.json"))
    for result in form["results"]:
        result |= {"status": "passed", "points": result["max_points"], "message": "", "hint": ""}
    for component in form["components"]:
        component["score"] = component["max_score"]
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("report.json", json.dumps(form | {"score": 100}))
    hub.archive = packed.getvalue()


@pytest.mark.parametrize("path", [".github/workflows/grade.yml", ".github/workflows/other.yml", "grader/rubric.py"])
def test_a_change_of_the_run_itself_gets_no_score(made: Course, hub: Hub, tmp_path: Path, path: str) -> None:
    """Whoever changes the workflow can leave any artifact; so it is not even asked for."""
    graded(made, hub, made.head(put(FILE, "x = 1\n")), tmp_path / "out")
    forged(hub)
    head = made.head(put(path, "name: Grade\n"))
    hub.pulls = [pull(head)]
    assert comment(made, hub, event(head), tmp_path).returncode == 0
    assert "⛔ Refused" in hub.comments[0]["body"] and f"`{path}`" in hub.comments[0]["body"]
    assert not [path for _, path, _ in hub.asked if "artifact" in path]


def test_a_report_on_another_hand_in_is_not_shown(made: Course, hub: Hub, tmp_path: Path) -> None:
    """The digest is held against the head's blob."""
    graded(made, hub, made.head(RIGHT), tmp_path / "out")
    head = made.head(put(FILE, "x = 1\n"))
    hub.pulls = [pull(head)]
    assert comment(made, hub, event(head), tmp_path).returncode == 0
    assert "There is no report to show" in hub.comments[0]["body"] and "not on this hand" in hub.comments[0]["body"]


@pytest.mark.parametrize(
    ("artifacts", "words"),
    [
        ([], "left no artifact"),
        ([{"id": 5, "name": "grade", "expired": True, "size_in_bytes": 9}], "left no artifact"),
        ([{"id": 5, "name": "grades", "expired": False, "size_in_bytes": 9}], "left no artifact"),
        ([{"id": 5, "name": "grade", "expired": False, "size_in_bytes": 2**40}], "larger than 1024 KiB"),
    ],
)
def test_without_a_small_artifact_there_is_no_report(
    made: Course, hub: Hub, tmp_path: Path, artifacts: list[dict[str, Any]], words: str
) -> None:
    """What is too large is not fetched."""
    head = made.head(RIGHT)
    hub.pulls, hub.artifacts = [pull(head)], artifacts
    assert comment(made, hub, event(head), tmp_path).returncode == 0
    assert "There is no report to show" in hub.comments[0]["body"] and words in hub.comments[0]["body"]
    assert "/storage" not in [path for _, path, _ in hub.asked]


def test_an_artifact_with_another_size_than_told_is_not_read(made: Course, hub: Hub, tmp_path: Path) -> None:
    """A megabyte is the most, whatever was said of it."""
    head = made.head(RIGHT)
    graded(made, hub, head, tmp_path / "out")
    hub.archive += b"\0" * 2**20
    comment(made, hub, event(head), tmp_path)
    assert "There is no report to show" in hub.comments[0]["body"]


@pytest.mark.parametrize(
    "other",
    [
        {"sha": "f" * 40},
        {"label": "student:other"},
        {"repo": {"full_name": "somebody/course"}},
        {"repo": None},
    ],
    ids=["moved on", "another branch", "another fork", "fork is gone"],
)
def test_another_pull_request_gets_nothing(made: Course, hub: Hub, tmp_path: Path, other: dict[str, Any]) -> None:
    """Only the one whose head GitHub says the run was for; the artifact has no say in it."""
    head = made.head(RIGHT)
    graded(made, hub, head, tmp_path / "out")
    hub.pulls = [pull(head, **other)]
    done = comment(made, hub, event(head), tmp_path)
    assert (done.returncode, hub.comments) == (0, []) and "Nothing to say" in done.stdout


def test_two_pull_requests_of_one_head_are_told_apart_by_nobody(made: Course, hub: Hub, tmp_path: Path) -> None:
    """Nothing is written, and it is said why."""
    head = made.head(RIGHT)
    graded(made, hub, head, tmp_path / "out")
    hub.pulls = [pull(head), pull(head, 13)]
    done = comment(made, hub, event(head), tmp_path)
    assert (done.returncode, hub.comments) == (2, []) and "head of 2 pull requests" in done.stderr


@pytest.mark.parametrize(
    "told",
    [
        "",
        "[]",
        {},
        {"workflow_run": None},
        event("a" * 40, id="7"),
        event("a" * 40, event="push"),
        event("a" * 40, path=".github/workflows/other.yml"),
        event("a" * 40, head_repository=None),
    ],
)
def test_another_event_is_wrong_usage(made: Course, hub: Hub, tmp_path: Path, told: Any) -> None:
    """Status 2, one line, and GitHub is not asked for anything."""
    done = comment(made, hub, told, tmp_path)
    assert (done.returncode, hub.asked, len(done.stderr.splitlines())) == (2, [], 1)


def test_a_branch_name_is_only_a_name(made: Course, hub: Hub, tmp_path: Path) -> None:
    """It goes into the question encoded."""
    head = made.head(RIGHT)
    branch = "work&state=closed#$(touch owned)"
    hub.pulls = [pull(head, label=f"student:{branch}")]
    assert comment(made, hub, event(head, head_branch=branch), tmp_path).returncode == 0
    assert len(hub.comments) == 1


def test_a_refusal_of_github_is_not_the_hand_ins(made: Course, hub: Hub, tmp_path: Path) -> None:
    """Status 3, and the permissions are named."""
    head = made.head(RIGHT)
    graded(made, hub, head, tmp_path / "out")
    hub.refuses = 403
    done = comment(made, hub, event(head), tmp_path)
    assert done.returncode == 3 and "GitHub answered 403 to POST" in done.stderr and "permissions" in done.stderr


def test_without_a_workflow_it_is_wrong_usage(made: Course) -> None:
    """The variable that is missing is named."""
    done = subprocess.run(
        [sys.executable, "-m", "grader", "comment"],
        cwd=made.runner, env={"PATH": os.environ["PATH"]}, capture_output=True, encoding="utf-8", check=False,
    )  # fmt: skip
    assert done.returncode == 2 and "GITHUB_EVENT_PATH is not set" in done.stderr
