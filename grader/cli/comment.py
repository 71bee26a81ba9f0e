"""`grader comment`: the report of a finished run, as a comment on its pull request."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import Any

from grader.cli.pr import STUB
from grader.comment import body, publish, pull_request_of, run_in
from grader.forms import BadForm, loads
from grader.git import Repository
from grader.github_api import GitHub
from grader.pull_request import Allowed
from grader.records import UsageError

WORKFLOW = ".github/workflows/grade.yml"


def add(commands: Any) -> None:
    """Add the command's parser."""
    comment = commands.add_parser(
        "comment",
        help="comment on a pull request that was graded",
        description="Comment on a pull request from what its grading run left. For a GitHub workflow on workflow_run, "
        "in a checkout of the default branch with the head fetched.",
    )
    comment.add_argument(
        "--file", default=STUB, metavar="PATH", help=f"the hand-in in the repository (default: {STUB})"
    )
    comment.add_argument("--allow", action="append", default=[], metavar="PATH", help="as for `grader pr`")
    comment.add_argument("--workflow", default=WORKFLOW, metavar="PATH", help=f"which graded (default: {WORKFLOW})")
    comment.set_defaults(run=_comment)


def _comment(options: argparse.Namespace) -> int:
    event, name = _variable("GITHUB_EVENT_PATH"), _variable("GITHUB_REPOSITORY")
    github = GitHub(_variable("GITHUB_API_URL"), name, _variable("GITHUB_TOKEN"))
    try:
        run = run_in(loads(Path(event).read_bytes()), options.workflow)
    except (OSError, BadForm) as error:
        raise UsageError(f"the event in {event} cannot be read: {error}") from None
    number = pull_request_of(run, github)
    if number is None:
        print("Nothing to say: no open pull request has this head any more.")
        return 0
    log = f"{_variable('GITHUB_SERVER_URL')}/{name}/actions/runs/{run.id}"
    text = body(run, github, Repository(Path.cwd()), Allowed(options.file, tuple(options.allow)), log)
    print(f"The comment on pull request {number} was {publish(number, text, github)}.")
    return 0


def _variable(name: str) -> str:
    value = os.environ.get(name)
    if not value:
        raise UsageError(f"{name} is not set; this command is for a GitHub workflow (see .github/docs/ci.md)")
    return value
