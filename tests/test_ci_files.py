"""The workflows and the GitLab template, by the linters that people trust with them."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
import yaml

from grader.comment import ARTIFACT
from tests.hand_ins import ROOT, run

TEMPLATES = ROOT / ".github" / "templates"
GITLAB = TEMPLATES / "gitlab-ci.yml"
OURS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
GITHUB = [*OURS, *(path for path in sorted(TEMPLATES.glob("*.yml")) if path != GITLAB)]
STAGES = ("grade.yml", "grade-comment.yml")

every_workflow = pytest.mark.parametrize("path", GITHUB, ids=lambda path: path.name)


def program(name: str) -> Path:
    """A program that the test extra installs beside Python."""
    return Path(sys.executable).parent / name


def test_there_are_workflows() -> None:
    """Ours, the two stages, and Classroom's."""
    assert {path.name for path in GITHUB} == {"ci.yml", "grade.yml", "grade-comment.yml", "classroom.yml"}


@every_workflow
def test_actionlint_finds_nothing(path: Path) -> None:
    """Syntax, expressions, and the shell where shellcheck is there."""
    done = run(program("actionlint"), path)
    assert (done.returncode, done.stdout + done.stderr) == (0, "")


@every_workflow
def test_zizmor_finds_no_hole(path: Path) -> None:
    """Pins, permissions, credentials, injections; without asking the network."""
    done = run(program("zizmor"), "--offline", "--no-progress", "--color=never", "--pedantic", path)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("schema", "paths"), [("vendor.github-workflows", GITHUB), ("vendor.gitlab-ci", [GITLAB])], ids=["GitHub", "GitLab"]
)
def test_the_schema_is_met(schema: str, paths: list[Path]) -> None:
    """The schemas of the schema store, as check-jsonschema brings them."""
    done = run(program("check-jsonschema"), "--builtin-schema", schema, *paths)
    assert done.returncode == 0, done.stdout + done.stderr


@every_workflow
def test_every_action_is_pinned(path: Path) -> None:
    """By a full commit, with the version that it was beside it."""
    uses = re.findall(r"uses: (.*)", path.read_text(encoding="utf-8"))
    assert uses and all(re.fullmatch(r"actions/[a-z-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", used) for used in uses)


@every_workflow
def test_no_expression_stands_in_a_shell_line(path: Path) -> None:
    """What GitHub puts into a script is run; values go in by the environment."""
    jobs = yaml.safe_load(path.read_text(encoding="utf-8"))["jobs"].values()
    lines = [step["run"] for job in jobs for step in job["steps"] if "run" in step]
    assert lines and not any("${{" in line for line in lines)


@pytest.mark.parametrize("name", ["grade.yml", "classroom.yml"])
def test_where_hand_ins_run_nothing_can_be_written(name: str) -> None:
    """The token reads the repository, and the checkout does not keep it; no secret is named."""
    text = (TEMPLATES / name).read_text(encoding="utf-8")
    workflow = yaml.safe_load(text)
    assert workflow["permissions"] == {"contents": "read"} and "secrets." not in text
    (job,) = workflow["jobs"].values()
    checkout, *rest = job["steps"]
    assert "permissions" not in job and checkout["with"]["persist-credentials"] is False
    assert [step for step in rest if "checkout" in step.get("uses", "")] == []
    assert "head" not in checkout["with"]["ref"] and "github.sha" not in checkout["with"]["ref"]
    assert "pull_request_target" not in workflow[True]  # YAML takes `on` for a truth value


def test_who_writes_takes_its_files_from_the_default_branch() -> None:
    """The second stage checks out nothing else, and downloads no artifact to the disk."""
    workflow = yaml.safe_load((TEMPLATES / "grade-comment.yml").read_text(encoding="utf-8"))
    (job,) = workflow["jobs"].values()
    used = [step for step in job["steps"] if "uses" in step]
    assert [step["with"]["ref"] for step in used] == ["${{ github.event.repository.default_branch }}"]
    assert workflow["permissions"] == {}
    assert job["permissions"] == {"actions": "read", "contents": "read", "pull-requests": "write"}


def test_the_page_leads_to_files_that_are_there() -> None:
    """Each template is named on it, and each link has an end."""
    page = ROOT / ".github" / "docs" / "ci.md"
    links = {
        (page.parent / link).resolve() for link in re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8"))
    }
    assert [link for link in links if not link.is_file()] == []
    assert {path.resolve() for path in TEMPLATES.iterdir()} <= links


def test_the_two_stages_know_each_other() -> None:
    """The second is started by the first's name, and looks for its artifact."""
    first, second = (yaml.safe_load((TEMPLATES / name).read_text(encoding="utf-8")) for name in STAGES)
    assert second[True]["workflow_run"]["workflows"] == [first["name"]]
    (upload,) = (s for job in first["jobs"].values() for s in job["steps"] if "upload-artifact" in s.get("uses", ""))
    assert upload["with"]["name"] == ARTIFACT
