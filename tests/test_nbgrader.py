"""The whole cycle of an nbgrader assignment: made, released, filled in, autograded, given back, exported."""

from __future__ import annotations

import csv
import json
import shutil
import sys
from pathlib import Path

import pytest

from grader.grading import Grader
from grader.handout.proof import prove
from grader.kit import Kit
from grader.records import COMPONENTS, GraderFault
from grader.submission import read
from tests.hand_ins import ROOT, STUB, class_of, run
from tests.nbgrader_course import NAME, course_of, filled, marks, nbgrader, released, submit

pytestmark = pytest.mark.timeout(400)  # courses take their time

KIT = Kit.here()
CORPUS = ROOT / "tests" / "submissions"
UNTOUCHED = STUB.read_text(encoding="utf-8")
ADA = CORPUS / "right" / "ada_project_then_split.py"
RIGHT = ADA.read_text(encoding="utf-8")
WRONG = (CORPUS / "wrong" / "cleo_ln_unbiased_variance.py").read_text(encoding="utf-8")
RAISES = class_of(STUB, "FeedForward").replace(
    'NotImplementedError("TODO: FeedForward.__init__")', "ValueError('no <b>time</b>')"
)
HALF = UNTOUCHED.replace(class_of(STUB, "FeedForward"), RAISES)
HALF = HALF.replace(class_of(STUB, "LayerNorm"), class_of(ADA, "LayerNorm"))
LOOPS = RIGHT.replace("class FeedForward(Module):", "class FeedForward(Module):\n    while True:\n        pass\n", 1)
FORGERY = """\
import sys, grader.notebook
grader.notebook.check = check = lambda component: 40
In = ["nothing"]
print("18", file=sys.stderr)
points = 40"""
TRIAL = "block = TransformerBlock(6, 2)\nblock([])\nimport not_there_at_all"


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Six students, autograded by the course's own configuration; feedback and export are there too."""
    hand_ins = {"ada": RIGHT, "bo": HALF, "cleo": WRONG, "dan": LOOPS}
    course = course_of(tmp_path_factory.mktemp("course"), hand_ins)
    submit(course, "eva", filled(released(course), RIGHT, TRIAL))
    submit(course, "fay", filled(released(course), UNTOUCHED, FORGERY))
    for command in (("autograde", NAME), ("generate_feedback", NAME), ("export",)):
        done = nbgrader(course, *command)
        assert done.returncode == 0, done.stderr
    return course


@pytest.fixture(scope="module")
def checked(course: Path) -> dict[str, dict[str, int]]:
    """What `grader check` gives for what was handed in, by student and component."""
    grader = Grader(KIT)
    files = {path.parts[-3]: path for path in course.glob(f"submitted/*/{NAME}/{NAME}.ipynb")}
    reports = {student: grader.grade(read(path)) for student, path in files.items()}
    return {s: {c: sum(line.points for line in report.of(c)) for c in COMPONENTS} for s, report in reports.items()}


@pytest.fixture(scope="module")
def kernels(course: Path) -> Path:
    """A copy of the course under nbgrader's usual configuration: kernels run the hand-ins, hidden tests included."""
    copy = Path(shutil.copytree(course, course.parent / "kernels"))
    (copy / "nbgrader_config.py").unlink()
    shutil.rmtree(copy / "autograded")
    for student in ("bo", "dan", "eva"):
        shutil.rmtree(copy / "submitted" / student)
    (copy / "gradebook.db").unlink()
    assert nbgrader(copy, "generate_assignment", NAME, "--force").returncode == 0
    submit(copy, "gus", filled(released(copy), RIGHT, f"import os; os.remove('{NAME}.ipynb')"))
    nbgrader(copy, "autograde", NAME)
    return copy


def sources(notebook: str) -> dict[str, str]:
    """The cells of a notebook by their names."""
    return {cell["id"]: "".join(cell["source"]) for cell in json.loads(notebook)["cells"]}


def test_release_is_the_stub_and_source_the_reference(course: Path) -> None:
    """The source notebook has full marks, the released one none: every line is still to do."""
    source = course / "source" / NAME / f"{NAME}.ipynb"
    release = course / "release" / NAME / f"{NAME}.ipynb"
    assert Grader(KIT).grade(read(source)).score == 100
    assert {result.status for result in Grader(KIT).grade(read(release)).results} == {"todo"}


def test_release_gives_nothing_away(course: Path) -> None:
    """Nothing of solution/ is in what students get, and no hidden test; the same proof fails on the source."""
    release = course / "release" / NAME
    prove(KIT, {path.name: path.read_bytes() for path in release.iterdir()})
    assert "HIDDEN" not in released(course) and "SOLUTION" not in released(course)
    source = course / "source" / NAME / f"{NAME}.ipynb"
    with pytest.raises(GraderFault, match="solution"):
        prove(KIT, {"release.ipynb": source.read_bytes()})


def test_release_has_the_stubs_heads_and_the_text(course: Path) -> None:
    """Each class of the stub is a cell with all its lines but the raised ones; the exercise's rules are there too."""
    cells = sources(released(course))
    for line in UNTOUCHED[UNTOUCHED.index("class MultiHeadAttention") :].splitlines():
        assert "NotImplementedError" in line or any(line in cell.splitlines() for cell in cells.values())
    handout = (ROOT / "exercise" / "README.md").read_text(encoding="utf-8")
    assert cells["where-the-text-is-silent"] in handout and cells["what-to-write"] in handout


def test_marks_equal_those_of_check(course: Path, checked: dict[str, dict[str, int]]) -> None:
    """Per component and hand-in: right, half done, wrong, endless, one that raises beside its classes, a forged one."""
    assert marks(course) == checked
    totals = {student: sum(points.values()) for student, points in checked.items()}
    assert (totals["ada"], totals["bo"], totals["eva"], totals["fay"]) == (100, 18, 100, 0)
    assert 0 < checked["cleo"]["LayerNorm"] < 18 and checked["dan"]["FeedForward"] == 0


def test_export_has_the_same_totals(course: Path, checked: dict[str, dict[str, int]]) -> None:
    """nbgrader's own table says what the gradebook says."""
    with (course / "grades.csv").open(encoding="utf-8", newline="") as file:
        rows = {row["student_id"]: (float(row["score"]), float(row["max_score"])) for row in csv.DictReader(file)}
    assert rows == {student: (sum(points.values()), 100) for student, points in checked.items()}


def test_class_gives_the_same_marks(course: Path, checked: dict[str, dict[str, int]], tmp_path: Path) -> None:
    """`grader class` on the folder that nbgrader collects into, with its marks in the same cells of the gradebook."""
    shutil.copy(course / "gradebook.db", tmp_path)
    arguments = (course / "submitted", "--output", tmp_path / "run", "--csv", tmp_path / "marks.csv")
    more = ("--require-isolation", "process", "--gradebook", tmp_path / "gradebook.db")
    done = run(sys.executable, "-m", "grader", "class", *arguments, *more)
    assert done.returncode == 0, done.stderr
    assert "0 new, 0 changed, 6 as they were" in done.stdout and marks(tmp_path) == checked
    with (tmp_path / "marks.csv").open(encoding="utf-8", newline="") as file:
        rows = {row["student"]: int(row["score"]) for row in csv.DictReader(file)}
    assert rows == {student: sum(points.values()) for student, points in checked.items()}


def test_feedback_shows_the_report_and_gives_nothing_away(course: Path) -> None:
    """Students see lines and messages, their own text escaped, and neither hidden tests nor anything of solution/."""
    pages = {path.parts[-3]: path for path in course.glob("feedback/*/*/*.html")}
    assert set(pages) == {"ada", "bo", "cleo", "dan", "eva", "fay"}
    texts = {student: path.read_text(encoding="utf-8") for student, path in pages.items()}
    assert not [student for student, text in texts.items() if "HIDDEN TESTS" in text or "subprocess" in text]
    assert "a fresh layer gives mean 0 and variance 1" in texts["cleo"]
    assert "line 6 of In [7]" in texts["bo"] and "line 10 of In [4]" in texts["fay"]
    assert "no &lt;b&gt;time&lt;/b&gt;" in texts["bo"]
    prove(KIT, {"feedback.html": pages["fay"].read_bytes()})


def test_marks_from_kernels_are_the_same(kernels: Path, checked: dict[str, dict[str, int]]) -> None:
    """Without the course's configuration the hidden tests ask a process of their own: a patched check gains nothing."""
    found = marks(kernels)
    assert {student: found[student] for student in ("ada", "cleo", "fay")} == {
        student: checked[student] for student in ("ada", "cleo", "fay")
    }


def test_kernel_without_a_grader_gives_no_mark(kernels: Path) -> None:
    """Where the hidden test gets no report, its hand-in is not autograded: that is not a zero."""
    assert not (kernels / "autograded" / "gus" / NAME).exists()
    assert set(marks(kernels)["gus"].values()) == {None}


def test_fault_of_the_grader_is_no_mark(course: Path, tmp_path: Path) -> None:
    """A seed that needs solution/ where there is none: nbgrader says so, and no score is written."""
    alone = tmp_path / "kit"
    for name in ("grader", "exercise"):
        shutil.copytree(ROOT / name, alone / name)
    copy = Path(shutil.copytree(course, tmp_path / "course", ignore=shutil.ignore_patterns("autograded", "bo", "dan")))
    done = nbgrader(copy, "autograde", NAME, "--student=cleo", "--Marks.seed=5", first=alone)
    assert done.returncode == 1 and "not recorded here" in done.stderr
    assert not (copy / "autograded" / "cleo" / NAME).exists()


def test_validate_tells_a_student_before_handing_in(course: Path, tmp_path: Path) -> None:
    """nbgrader's Validate runs the released tests in a kernel: full marks succeed, anything less names the cells."""
    for name in ("engine.py", "nn.py"):
        shutil.copy(ROOT / "exercise" / name, tmp_path)
    (tmp_path / "mine.ipynb").write_text(filled(released(course), WRONG), encoding="utf-8")
    done = nbgrader(tmp_path, "validate", "mine.ipynb")
    assert "VALIDATION FAILED ON 1 CELL" in done.stdout and "18 points for LayerNorm" in done.stdout


def test_without_the_kit_the_cells_say_so(course: Path, tmp_path: Path) -> None:
    """A student who has only the release is told kindly, and can go on working."""
    release = Path(shutil.copytree(course / "release" / NAME, tmp_path / "mine"))
    cells = sources(released(course))
    (release / "session.py").write_text("\n".join(cells[name] for name in ("given", "code-LayerNorm", "LayerNorm")))
    done = run(sys.executable, "-S", "-E", "session.py", cwd=release)
    assert (done.returncode, done.stderr) == (0, "") and "beside grader/" in done.stdout


def test_course_is_made_again_without_losing_work(course: Path, tmp_path: Path) -> None:
    """A second run renews source and release and leaves configuration, gradebook and submissions as they are."""
    copy = Path(shutil.copytree(course, tmp_path / "nbgrader"))
    (copy / "nbgrader_config.py").write_text("c = get_config()\n", encoding="utf-8")
    done = run(sys.executable, "-m", "grader", "handout", "nbgrader", "--into", tmp_path)
    assert done.returncode == 0, done.stderr
    assert (copy / "nbgrader_config.py").read_text(encoding="utf-8") == "c = get_config()\n"
    assert marks(copy) == marks(course) and released(copy) == released(course)
