"""What is said on a pull request after its grading run, by a workflow that may write and runs nothing of it.

The pull request is found by what GitHub says of the run, never by what the run left. The change is looked at again:
where it touches more than the hand-in, the run was not the base branch's, and its report is not read.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from grader.artifact import MOST, report_in
from grader.forms import BadForm, from_form
from grader.git import Repository
from grader.github_api import GitHub
from grader.pull_request import Allowed, hand_in
from grader.records import Reason, Ungraded, UsageError
from grader.render import markdown, ungraded

MARKER = "<!-- grader: one comment, written over after each run -->"
ARTIFACT = "grade"
LONGEST = 65_000  # characters; GitHub takes 65,536
AUTHOR = "github-actions[bot]"


@dataclass(frozen=True)
class Run:
    """A finished run as GitHub's event tells it: its number, and the head it was for."""

    id: int
    head: str
    branch: str
    owner: str
    repository: str


def run_in(event: Any, workflow: str) -> Run:
    """The run of an event `workflow_run`. Raises UsageError when it is not one of ``workflow`` on a pull request."""
    try:
        told, source = event["workflow_run"], event["workflow_run"]["head_repository"]
        found = {"id": told["id"], "head": told["head_sha"], "branch": told["head_branch"]}
        found |= {"owner": source["owner"]["login"], "repository": source["full_name"]}
        run = from_form(Run, found)
    except (KeyError, TypeError, BadForm):
        raise UsageError("this is not the event of a finished workflow; start this from `on: workflow_run`") from None
    path = str(told.get("path")).partition("@")[0]
    if told.get("event") != "pull_request" or path != workflow:
        raise UsageError(f"the run is of {path} on {told.get('event')}, not of {workflow} on pull_request")
    return run


def pull_request_of(run: Run, github: GitHub) -> int | None:
    """The number of the open pull request whose head is the run's; None when it moved on, or was closed."""
    listed = github.get("pulls", state="open", head=f"{run.owner}:{run.branch}")
    heads = [(pull["number"], pull["head"]) for pull in listed]
    fitting = [n for n, h in heads if h["sha"] == run.head and (h["repo"] or {}).get("full_name") == run.repository]
    if len(fitting) > 1:
        raise UsageError(f"{run.branch} is the head of {len(fitting)} pull requests; close all but one")
    return int(fitting[0]) if fitting else None


def body(run: Run, github: GitHub, repository: Repository, allowed: Allowed, log: str) -> str:
    """The comment. ``repository`` has the base branch checked out, and the head's objects."""
    found = hand_in(repository, "HEAD", run.head, allowed)
    if isinstance(found, Ungraded):
        text = ungraded.markdown(found)
    else:
        try:
            text = markdown.render(report_in(_artifact(run, github), found))
            if len(text) > LONGEST - 1_000:
                raise BadForm("the report does not fit into a comment")
        except BadForm as trouble:
            reason = Reason("", str(trouble), "See the run's log.")
            text = ungraded.markdown(Ungraded("unread", allowed.file, (reason,)))
    return f"{MARKER}\n{text}\n---\n`{run.head[:12]}`, [the run]({log})\n"


def _artifact(run: Run, github: GitHub) -> bytes:
    """The run's zip, looked up by name; only fetched when it is small."""
    listed = github.get(f"actions/runs/{run.id}/artifacts", name=ARTIFACT)["artifacts"]
    found = [artifact for artifact in listed if artifact["name"] == ARTIFACT and not artifact["expired"]]
    if not found:
        raise BadForm("the run left no artifact, so it ended before grading did")
    if found[0]["size_in_bytes"] > MOST:
        raise BadForm(f"the artifact is larger than {MOST // 1024} KiB")
    return github.download(f"actions/artifacts/{int(found[0]['id'])}/zip")


def publish(number: int, text: str, github: GitHub) -> str:
    """Write over the comment that an earlier run left, or make the first one; returns which."""
    earlier = _earlier(github.each(f"issues/{number}/comments"))
    if earlier is None:
        github.send("POST", f"issues/{number}/comments", body=text)
        return "written"
    github.send("PATCH", f"issues/comments/{earlier}", body=text)
    return "written over"


def _earlier(comments: Sequence[Any]) -> int | None:
    """The first comment of ours: others may copy the marker, but not the author."""
    for comment in comments:
        if (comment["user"] or {}).get("login") == AUTHOR and str(comment["body"]).startswith(MARKER):
            return int(comment["id"])
    return None
