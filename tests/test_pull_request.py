"""`grader pr` on real repositories: honest pull requests are graded, others refused, and nothing of a head runs."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from grader.submission import MAX_BYTES
from tests.hand_ins import REFERENCE, broken, filled
from tests.pull_requests import FILE, Course, all_of, course, git, put

RIGHT = put(FILE, REFERENCE.read_text(encoding="utf-8"))
FULL, LOST, USAGE, BROKEN, REFUSED = 0, 1, 2, 3, 4


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Course:
    """One course for all tests here; each makes a branch of its own."""
    return course(tmp_path_factory.mktemp("course"))


@pytest.fixture
def made(kept: Course) -> Iterator[Course]:
    """The course; whatever a test did, nothing of a head has run, and the checkout is as it was."""
    yield kept
    assert not kept.mark.exists()
    assert git(kept.runner, "status", "--porcelain") == ""


def renamed(folder: Path) -> None:
    """The hand-in under another name."""
    git(folder, "mv", FILE, "exercise/transformer.py")


def linked(target: str) -> Callable[[Path], None]:
    """The hand-in as a symbolic link."""

    def change(folder: Path) -> None:
        (folder / FILE).unlink()
        (folder / FILE).symlink_to(target)

    return change


def linked_folder(folder: Path) -> None:
    """The hand-in's folder as a symbolic link to another with a right hand-in in it."""
    put("elsewhere/transformer_block.py", REFERENCE.read_text(encoding="utf-8"))(folder)
    git(folder, "rm", "-rq", "exercise")
    (folder / "exercise").symlink_to("elsewhere")


def submodule(folder: Path) -> None:
    """The hand-in as a submodule of the course itself."""
    git(folder, "rm", "-q", FILE)
    git(folder, "update-index", "--add", "--cacheinfo", f"160000,{git(folder, 'rev-parse', 'main')},{FILE}")


def in_index(path: str, text: str) -> Callable[[Path], None]:
    """A path that a file system might not take, put in the index as it is."""

    def change(folder: Path) -> None:
        blob = git(folder, "hash-object", "-w", "--stdin", stdin=text)
        git(folder, "update-index", "--add", "--cacheinfo", f"100644,{blob},{path}")

    return change


def test_the_trap_works(tmp_path: Path) -> None:
    """A checkout of a head with attributes leaves the mark, by a filter alone: so its absence says something."""
    trap = course(tmp_path)
    head = trap.head(put(".gitattributes", "* filter=evil\n"))
    trap.arm()
    git(trap.runner, "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "checkout", "--quiet", head)
    assert trap.mark.exists()


def test_a_right_hand_in_passes(made: Course) -> None:
    """The reference has full marks and status 0, though the head is nowhere checked out."""
    done = made.grade("--head", made.head(RIGHT))
    assert (done.returncode, done.stderr) == (FULL, "") and "Score 100/100" in done.stdout


def test_a_wrong_hand_in_loses_marks(made: Course) -> None:
    """Status 1, or 0 from the pass mark on."""
    head = made.head(put(FILE, filled("LayerNorm", "FeedForward")))
    assert made.grade("--head", head).returncode == LOST
    assert made.grade("--head", head, "--pass-mark", "32").returncode == FULL
    assert made.grade("--head", head, "--pass-mark", "33").returncode == LOST


def test_an_empty_change_is_the_stub(made: Course) -> None:
    """Nothing handed in is nothing earned."""
    done = made.grade("--head", made.head(lambda _: None))
    assert done.returncode == LOST and "Score 0/100" in done.stdout


def test_the_bytes_are_those_that_were_committed(made: Course, tmp_path: Path) -> None:
    """No conversion of line ends, no filter: the digest is the blob's."""
    text = REFERENCE.read_text(encoding="utf-8").replace("\n", "\r\n")
    head = made.head(lambda folder: (folder / FILE).write_bytes(text.encode()))
    made.grade("--head", head, "--json", tmp_path / "report.json")
    told = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))["submission"]
    blob = git(made.student, "hash-object", "--no-filters", FILE)
    assert git(made.runner, "rev-parse", f"{head}:{FILE}") == blob
    assert told["sha256"] == hashlib.sha256(text.encode()).hexdigest()


HOSTILE: dict[str, Callable[[Course], tuple[Callable[[Path], object], str]]] = {
    "edits the grader": lambda c: (put("grader/rubric.py", c.payload), "grader/rubric.py was changed (the grader)"),
    "deletes a check": lambda c: (
        lambda folder: (folder / "grader/checks/values.py").unlink(),
        "grader/checks/values.py was deleted (the grader)",
    ),
    "adds to the grader": lambda c: (put("grader/zzz.py", c.payload), "grader/zzz.py was added (the grader)"),
    "shadows a module": lambda c: (put("json.py", c.payload), "json.py was added"),
    "edits the workflow": lambda c: (put(".github/workflows/grade.yml", "on: push"), ".github/workflows/grade.yml"),
    "edits GitLab's jobs": lambda c: (put(".gitlab-ci.yml", "a: {script: [id]}"), ".gitlab-ci.yml was added (what CI"),
    "edits what CI runs": lambda c: (put(".ci/run", "touch x"), ".ci/run was added (what CI runs)"),
    "edits the Makefile": lambda c: (put("Makefile", "all:\n\ttrue\n"), "Makefile was changed (the commands)"),
    "adds settings": lambda c: (put("pyproject.toml", "[tool]"), "pyproject.toml was added (settings)"),
    "adds a solution": lambda c: (put("solution/readings.py", c.payload), "solution/readings.py was added (the sol"),
    "edits the given code": lambda c: (put("exercise/engine.py", c.payload), "exercise/engine.py was changed"),
    "adds conftest.py": lambda c: (put("conftest.py", c.payload), "conftest.py was added"),
    "adds sitecustomize.py": lambda c: (put("sitecustomize.py", c.payload), "sitecustomize.py was added"),
    "adds usercustomize.py": lambda c: (put("usercustomize.py", c.payload), "usercustomize.py was added"),
    "adds a .pth": lambda c: (put("evil.pth", f"import os; {c.payload}"), "evil.pth was added"),
    "adds grader.py": lambda c: (put("grader.py", c.payload), "grader.py was added"),
    "adds a grader package": lambda c: (put("exercise/grader/__init__.py", c.payload), "exercise/grader/__init__.py"),
    "adds bytecode": lambda c: (put("grader/__pycache__/git.cpython-311.pyc", "x"), "grader/__pycache__/git"),
    "adds attributes": lambda c: (
        put(".gitattributes", "* filter=evil diff=evil text eol=crlf\n"),
        ".gitattributes was added (settings of git)",
    ),
    "adds submodules": lambda c: (
        put(".gitmodules", f'[submodule "x"]\n\tpath = x\n\turl = ../x\n\tupdate = !touch {c.mark}\n'),
        ".gitmodules was added (settings of git)",
    ),
    "makes the grader executable": lambda c: (
        lambda folder: (folder / "grader/git.py").chmod(0o755),
        "grader/git.py was changed (the grader)",
    ),
    "links the grader": lambda c: (
        lambda folder: ((folder / "Makefile").unlink(), (folder / "Makefile").symlink_to("/etc/passwd")),
        "Makefile became another kind of file",
    ),
    "other capitals": lambda c: (in_index("Exercise/Transformer_block.py", "x"), "it only looks like " + FILE),
    "a trailing dot": lambda c: (in_index(FILE + ".", "x"), "it only looks like " + FILE),
    "wide letters": lambda c: (in_index("exercise/transformer＿block.py", "x"), "it only looks like " + FILE),
    "a line break in a name": lambda c: (put("a\n::error::owned", "x"), "a ::error::owned was added"),
    "no text in a name": lambda c: (lambda folder: Path(os.fsdecode(bytes(folder) + b"/\xff\xfe")).touch(), "[U+DCFF]"),
    "turned reading direction": lambda c: (put("evil\u202egpj.py", "x"), "evil[U+202E]gpj.py was added"),
}


IN_INDEX = {"other capitals", "a trailing dot", "wide letters"}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_change_of_more_than_the_hand_in_is_refused(made: Course, name: str) -> None:
    """Status 4, the path is named, and no score is told, right as the hand-in is."""
    change, words = HOSTILE[name](made)
    head = made.head(_with_right(change), add=name not in IN_INDEX)
    done = made.grade("--head", head)
    assert done.returncode == REFUSED and done.stdout == ""
    assert words in done.stderr and "Only exercise/transformer_block.py may change" in done.stderr


def _with_right(change: Callable[[Path], object]) -> Callable[[Path], object]:
    """A right hand-in, staged, and the change; what went to the index alone is not added from the folder."""

    def both(folder: Path) -> None:
        RIGHT(folder)
        git(folder, "add", FILE)
        change(folder)

    return both


GONE: dict[str, tuple[Callable[[Path], object], str]] = {
    "deleted": (lambda folder: (folder / FILE).unlink(), "is not in the head"),
    "renamed": (renamed, "exercise/transformer.py was added"),
    "a link": (linked("../elsewhere.py"), "is a symbolic link, not a file"),
    "a link to the machine": (linked("/etc/passwd"), "is a symbolic link, not a file"),
    "a link to the grader": (linked("../grader/recorded.json.gz"), "is a symbolic link, not a file"),
    "below a link": (linked_folder, "is not in the head"),
    "a folder": (all_of(lambda f: (f / FILE).unlink(), put(f"{FILE}/a.py", "x")), "is a folder, not a file"),
    "huge": (put(FILE, "#" * (MAX_BYTES + 1)), "has 262,145 bytes; 262,144 are the most"),
    "huge when unpacked": (put(FILE, "#" * 5_000_000), "has 5,000,000 bytes"),
}


@pytest.mark.parametrize("name", GONE)
def test_a_hand_in_that_is_no_plain_file_is_refused(made: Course, name: str) -> None:
    """Status 4, and what stands in its place is named."""
    change, words = GONE[name]
    done = made.grade("--head", made.head(change))
    assert (done.returncode, done.stdout) == (REFUSED, "") and words in done.stderr


def test_a_submodule_is_refused(made: Course) -> None:
    """A commit in place of the hand-in is neither fetched nor read."""
    done = made.grade("--head", made.head(submodule, add=False))
    assert done.returncode == REFUSED and f"{FILE} is a submodule, not a file" in done.stderr


@pytest.mark.parametrize("leaf", ["100644 blob {blob}\tfile\n", ""], ids=["files", "nothing"])
def test_a_bomb_of_trees_is_refused(made: Course, leaf: str) -> None:
    """Eleven objects that stand for ten thousand million paths are not walked."""

    def bomb(folder: Path) -> None:
        blob = git(folder, "hash-object", "-w", "--stdin", stdin="x")
        tree = git(folder, "mktree", stdin=leaf.format(blob=blob))
        for _ in range(10):
            tree = git(folder, "mktree", stdin="".join(f"040000 tree {tree}\tfolder{k}\n" for k in range(10)))
        root = git(folder, "mktree", stdin=f"{git(folder, 'ls-tree', 'HEAD')}\n040000 tree {tree}\tbomb\n")
        git(folder, "reset", "--soft", git(folder, "commit-tree", "-p", "HEAD", "-m", "bomb", root))

    git(made.student, "checkout", "--quiet", "--force", "-B", "work", "main")
    bomb(made.student)
    done = made.grade("--head", made.fetched("work"))
    assert done.returncode == REFUSED and "very many more paths" in done.stderr


def test_many_paths_are_counted(made: Course) -> None:
    """Those of the course come first; beyond twenty there is a number."""
    many = all_of(*(put(f"a{k:02}.txt", "x") for k in range(30)), put("tests/x.py", ""))
    done = made.grade("--head", made.head(many))
    lines = [line for line in done.stderr.splitlines() if " was added" in line]
    assert len(lines) == 20 and "tests/x.py was added (the kit's tests)" in lines[0]
    assert "11 more paths that are not the hand-in were changed" in done.stderr


def test_what_is_allowed_beside_the_hand_in_may_change(made: Course) -> None:
    """A folder by its slash, a file by its name, and no more than these."""
    change = all_of(RIGHT, put("notes/a.md", "x"), put("log.md", "x"))
    head = made.head(change)
    assert made.grade("--head", head, "--allow", "notes/", "--allow", "log.md").returncode == FULL
    assert made.grade("--head", head, "--allow", "notes/", "--allow", "log").returncode == REFUSED
    assert "notes/a.md" in made.grade("--head", head, "--allow", "note/", "--allow", "log.md").stderr


def test_another_path_can_be_the_hand_in(made: Course) -> None:
    """Each student's own folder, for one."""
    path = "students/ada/transformer_block.py"
    done = made.grade("--head", made.head(put(path, broken("LayerNorm", "return x"))), "--file", path)
    assert done.returncode == LOST and "Score" in done.stdout
