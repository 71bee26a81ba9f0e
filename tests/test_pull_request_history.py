"""Which commits are compared: odd histories, odd names and the wrong checkout are told apart, and none passes."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.hand_ins import REFERENCE
from tests.pull_requests import FILE, Course, course, git, put

RIGHT = put(FILE, REFERENCE.read_text(encoding="utf-8"))
FULL, USAGE, BROKEN, REFUSED = 0, 2, 3, 4


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Course:
    """One course for all tests here; the ones that change the runner's checkout make their own."""
    return course(tmp_path_factory.mktemp("course"))


def commit(folder: Path, branch: str, start: str, path: str, text: str) -> str:
    """A branch from ``start`` with one more commit that has this text at this path."""
    git(folder, "checkout", "--quiet", "--force", "-B", branch, start)
    put(path, text)(folder)
    git(folder, "add", "--all", "--force")
    git(folder, "commit", "--quiet", "--message", path)
    return git(folder, "rev-parse", "HEAD")


def test_what_the_base_did_since_is_not_the_students(made: Course) -> None:
    """The base moved on in the grader; the change is only what the head did."""
    head = made.head(RIGHT)
    newer = commit(made.student, "newer", "main", "grader/new.py", "x = 1\n")
    made.fetched("newer")
    assert made.grade("--head", head, base=newer).returncode == FULL


def test_a_base_merged_into_the_head_is_not_the_students_either(made: Course) -> None:
    """An update of the branch brings the base's commits, and they do not count as changes."""
    newer = commit(made.student, "newer", "main", "grader/new.py", "x = 1\n")
    made.head(RIGHT)
    git(made.student, "merge", "--quiet", "--no-edit", "newer")
    assert made.grade("--head", made.fetched("work"), base=newer).returncode == FULL


def test_a_fetched_head_can_be_named_as_git_names_it(made: Course) -> None:
    """By hand: the checkout's HEAD against FETCH_HEAD."""
    made.head(RIGHT)
    assert made.grade("--head", "FETCH_HEAD", base="HEAD").returncode == FULL


def test_an_older_grader_brought_back_is_a_change(made: Course) -> None:
    """A merge that keeps the branch's side of the base's own files takes back what the base did."""
    newer = commit(made.student, "newer", "main", "grader/new.py", "x = 1\n")
    made.head(RIGHT)
    git(made.student, "merge", "--quiet", "--no-edit", "--strategy", "ours", "newer")
    done = made.grade("--head", made.fetched("work"), base=newer)
    assert done.returncode == REFUSED and "grader/new.py was deleted (the grader)" in done.stderr


def test_crossed_merges_are_refused(made: Course) -> None:
    """Two best common ancestors: what was changed is not one thing, and the way out is told."""
    one = commit(made.student, "one", "main", "a.txt", "a")
    other = commit(made.student, "other", "main", FILE, REFERENCE.read_text(encoding="utf-8"))
    for branch, merged in (("one", other), ("other", one)):
        git(made.student, "checkout", "--quiet", branch)
        git(made.student, "merge", "--quiet", "--no-edit", merged)
    base, head = made.fetched("one"), made.fetched("other")
    done = made.grade("--head", head, base=base)
    assert done.returncode == REFUSED
    assert "2 best common ancestors" in done.stderr and "git merge origin/main" in done.stderr


def test_unrelated_histories_are_refused(made: Course) -> None:
    """Same files, but no commit in common."""
    git(made.student, "checkout", "--quiet", "--orphan", "apart", "main")
    RIGHT(made.student)
    git(made.student, "add", "--all", "--force")
    git(made.student, "commit", "--quiet", "--message", "from nothing")
    done = made.grade("--head", made.fetched("apart"))
    assert done.returncode == REFUSED and "no commit in common" in done.stderr


def test_a_replaced_commit_is_not_looked_at(made: Course) -> None:
    """refs/replace may not show another tree than the commit has."""
    wrong, right = made.head(put(FILE, "x = 1\n")), made.head(RIGHT)
    git(made.runner, "replace", wrong, right)
    try:
        done = made.grade("--head", wrong)
    finally:
        git(made.runner, "replace", "--delete", wrong)
    assert done.returncode == 1 and "Score 0/100" in done.stdout


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("--upload-pack=touch owned", "is not a name of a commit"),
        ("-h", "is not a name of a commit"),
        ("", "is not a name of a commit"),
        ("main\nmain", "is not a name of a commit"),
        ("main\x00", None),
        ("$(touch owned)", "there is no commit"),
        ("main:exercise", "there is no commit"),
        ("f" * 40, "there is no commit"),
        ("nowhere", "fetch it first"),
    ],
)
def test_a_name_that_is_no_commit_is_wrong_usage(made: Course, name: str, words: str | None) -> None:
    """Status 2 and a sentence; no name is an option of git's, and no shell sees it."""
    if words is None:
        with pytest.raises(ValueError, match="null"):  # the system takes no such argument
            made.grade(f"--head={name}")
        return
    done = made.grade(f"--head={name}")
    assert (done.returncode, done.stdout) == (USAGE, "") and words in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_name_with_two_meanings_is_wrong_usage(made: Course) -> None:
    """A tag that has a branch's name could be put in its place."""
    git(made.runner, "branch", "twice", "main")
    git(made.runner, "tag", "twice", made.head(RIGHT))
    done = made.grade("--head", made.head(RIGHT), base="twice")
    assert done.returncode == USAGE and "more than one commit" in done.stderr


@pytest.mark.parametrize("path", ["../x.py", "/etc/passwd", "exercise/", "-x", "a//b", ".git/config", "", "a\nb", "."])
def test_a_path_that_is_none_is_wrong_usage(made: Course, path: str) -> None:
    """The hand-in's path starts at the root of the repository and stays in it."""
    done = made.grade("--head", "main", f"--file={path}")
    assert (done.returncode, done.stdout) == (USAGE, "") and len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize("path", ["grader/", "grader/rubric.py", ".github/", ".GitHub/workflows/", ".gitlab-ci.yml"])
def test_what_grades_cannot_be_allowed(made: Course, path: str) -> None:
    """A wide --allow must not hand the grader or the workflows to whoever opens a pull request."""
    done = made.grade("--head", "main", "--allow", path)
    assert done.returncode == USAGE and "cannot be left to pull requests" in done.stderr


def test_a_shallow_checkout_is_wrong_usage(tmp_path: Path) -> None:
    """The line names the setting that mends it."""
    made = course(tmp_path)
    head = made.head(RIGHT)
    commit(made.student, "newer", "main", "a.txt", "a")
    git(made.student, "push", "--quiet", "origin", "newer")
    git(made.runner, "fetch", "--quiet", "--depth", "1", f"file://{made.student}", head)
    done = made.grade("--head", head)
    assert done.returncode == USAGE and "fetch-depth: 0" in done.stderr and "GIT_DEPTH: 0" in done.stderr


@pytest.mark.parametrize("merged", [False, True], ids=["head", "head merged into base"])
def test_a_checkout_of_the_head_is_wrong_usage(tmp_path: Path, merged: bool) -> None:
    """A workflow that checked out the pull request is told so: there the grader is the student's."""
    made = course(tmp_path)
    head = made.head(RIGHT)
    arguments = ("merge", "--quiet", "--no-ff", "--no-edit") if merged else ("checkout", "--quiet")
    git(made.runner, *arguments, head)
    done = made.grade("--head", head, base="origin/main")
    assert done.returncode == USAGE and "this is a checkout of the head" in done.stderr


def test_outside_of_a_repository_is_wrong_usage(tmp_path: Path) -> None:
    """There is nothing to read."""
    made = course(tmp_path)
    (made.runner / ".git").rename(tmp_path / "gone")
    done = made.grade("--head", "main")
    assert done.returncode == USAGE and "is not in a git repository" in done.stderr


def test_without_git_there_is_a_line(made: Course) -> None:
    """What to install is said."""
    done = made.grade("--head", "main", PATH="/nowhere")
    assert done.returncode == USAGE and "cannot start git" in done.stderr


def test_a_lost_object_is_the_graders_trouble(tmp_path: Path) -> None:
    """A fetch that brought half of it is status 3, never a score."""
    made = course(tmp_path)
    head = made.head(RIGHT)
    blob = git(made.runner, "rev-parse", f"{head}:{FILE}")
    path = made.runner / ".git" / "objects" / blob[:2] / blob[2:]
    path.chmod(0o600)
    path.unlink()
    done = made.grade("--head", head)
    assert (done.returncode, done.stdout) == (BROKEN, "") and "is the fetch complete?" in done.stderr


def test_settings_of_the_environment_do_not_count(made: Course, tmp_path: Path) -> None:
    """A variable that names another repository, or a program, changes nothing."""
    owned = tmp_path / "owned"
    more = {"GIT_DIR": str(made.student / ".git"), "GIT_EXTERNAL_DIFF": f"touch {owned}", "GIT_PAGER": f"touch {owned}"}
    assert made.grade("--head", made.head(RIGHT), **more).returncode == FULL
    assert not owned.exists()
