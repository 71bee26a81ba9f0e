"""A class graded for real: the marks are those of grading one by one, whatever is killed on the way."""

from __future__ import annotations

import json
import signal
import subprocess
import time
import zipfile
from pathlib import Path
from random import Random

import pytest

from grader.classroom import STORE, Classroom, Settings, digest_of, taken
from grader.cohort import Cohort
from grader.expectations import PUBLIC_SEED
from grader.grading import Grader
from grader.kit import Kit
from grader.records import GraderFault, UsageError
from grader.seeds import Seeds
from grader.store import Store
from grader.submission import from_bytes, read
from tests.class_runs import CORPUS, command, handed_in, ran, results
from tests.hand_ins import REFERENCE, STUB, broken, copied, environment

EVERY_RIGHT = sorted(path.stem for path in (CORPUS / "right").glob("*.py"))
RIGHT = EVERY_RIGHT[:9]
WRONG = sorted(path.stem for path in (CORPUS / "wrong").glob("*ln_*.py"))[:9]
KIT = Kit.here()
TWO = Settings(2)
slow = pytest.mark.timeout(300)  # many gradings in one test


def graded(folder: Path, run: Path, settings: Settings = TWO, kit: Kit = KIT) -> Cohort:
    """A run in this process."""
    return Classroom(folder, run, settings, kit).grade(lambda done, total: None)


def scores(cohort: Cohort) -> dict[str, int]:
    """By student."""
    return {one.hand_in.student: one.score for one in cohort.standings}


@slow
def test_three_kills_cost_nothing(tmp_path: Path) -> None:
    """Killed three times, at any moment, and started again: the results of a run that nobody disturbed, each once."""
    kit = copied(tmp_path / "kit")
    folder = handed_in(tmp_path / "class", [*RIGHT, *WRONG])
    (folder / "again.py").write_bytes((folder / f"{RIGHT[0]}.py").read_bytes())  # the same file from somebody else
    whole = ran("class", folder, "--output", tmp_path / "whole", "--csv", tmp_path / "whole.csv", kit=kit)
    run, rng = tmp_path / "killed", Random(5)
    for _ in range(3):
        _kill_at_some_moment(folder, run, kit, rng)
    last = ran("class", folder, "--output", run, "--csv", tmp_path / "killed.csv", kit=kit)
    assert (whole.returncode, last.returncode) == (0, 0), last.stderr
    assert results(run) == results(tmp_path / "whole") and len(results(run)) == 18
    assert (tmp_path / "killed.csv").read_bytes() == (tmp_path / "whole.csv").read_bytes()


def _lines(store: Path) -> int:
    return store.read_bytes().count(b"\n") if store.exists() else 0


def _kill_at_some_moment(folder: Path, run: Path, kit: Path, rng: Random) -> None:
    """Let it grade up to three files, wait a random moment in which it may grade two more, kill it."""
    store = run / STORE
    enough = _lines(store) + rng.randint(1, 3)
    process = subprocess.Popen(
        command("class", folder, "--output", run), cwd=kit, env=environment(PYTHONPATH=str(kit)),
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    while process.poll() is None and _lines(store) < enough:
        time.sleep(0.01)
    time.sleep(rng.random() / 10)
    process.kill()
    assert process.wait() == -signal.SIGKILL, "it was done before it was killed"


@slow
def test_an_interrupt_ends_it_at_once_and_keeps_what_is_done(tmp_path: Path) -> None:
    """Ctrl-C: no process is left behind, and what was graded is not graded again."""
    kit, folder, run = copied(tmp_path / "kit"), handed_in(tmp_path / "class", EVERY_RIGHT[:30]), tmp_path / "run"
    process = subprocess.Popen(
        command("class", folder, "--output", run, "--jobs", "1"), cwd=kit,
        env=environment(PYTHONPATH=str(kit)),
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True,
    )  # fmt: skip
    assert process.stderr is not None and process.stderr.readline()  # one is done
    process.send_signal(signal.SIGINT)
    process.communicate()
    done = len(results(run))
    assert process.returncode not in (0, None) and 1 <= done < 30
    assert f"30 hand-ins graded ({30 - done} files graded now" in ran("class", folder, "--output", run, kit=kit).stdout


@slow
def test_misbehaving_hand_ins_cost_their_own_budget_alone(tmp_path: Path) -> None:
    """One hangs, one floods, one ends its process: the reference beside them has full marks, and they their rest."""
    folder = tmp_path / "class"
    folder.mkdir()
    lines = {"hangs": "while True: pass", "dies": "import os; os._exit(0)", "floods": "print('x' * 10**7)"}
    for name, line in lines.items():
        (folder / f"{name}.py").write_text(broken("LayerNorm", line), encoding="utf-8")
    (folder / "right.py").write_bytes(REFERENCE.read_bytes())
    (folder / "stub.py").write_bytes(STUB.read_bytes())
    (folder / "binary.py").write_bytes(bytes(1000))
    cohort = graded(folder, tmp_path / "run")
    lost = 18  # the points of LayerNorm
    assert scores(cohort) == {
        "binary": 0,
        "dies": 100 - lost,
        "floods": 100,
        "hangs": 100 - lost,
        "right": 100,
        "stub": 0,
    }
    assert not cohort.casualties


@slow
def test_scores_are_those_of_grading_one_by_one(tmp_path: Path) -> None:
    """With the seed that the key picks; in the roster's order, which is the alphabet's."""
    stems = [RIGHT[0], "ada_ln_eps_ignored"]
    folder, seeds = handed_in(tmp_path / "class", stems), Seeds(key=b"k" * 32)
    cohort = graded(folder, tmp_path / "run", Settings(2, seeds=seeds))
    assert [one.hand_in.student for one in cohort.standings] == sorted(stems)
    for one in cohort.standings:
        submission = read(folder / one.hand_in.origin)
        assert one.seed == seeds.of(digest_of(submission)) != PUBLIC_SEED
        report = Grader(KIT, one.seed, naming=Grader(KIT).naming).grade(submission)
        assert one.score == report.score
        assert one.misconceptions == tuple((d.component, d.misconception) for d in report.diagnoses)
    assert cohort.standings[1].misconceptions == (("LayerNorm", "norm-eps-fixed"),)


@slow
def test_reports_are_written_on_request(tmp_path: Path) -> None:
    """One per student, under the own name of the file, with the seed and what was said about finding it."""
    folder = tmp_path / "class"
    (folder / "ada").mkdir(parents=True)
    (folder / "ada" / "mine.py").write_bytes(STUB.read_bytes())
    done = ran("class", folder, "--output", tmp_path / "run", "--reports", "json", "--seed", "0")
    report = json.loads((tmp_path / "run" / "reports" / "ada.json").read_bytes())
    assert (done.returncode, report["submission"]["name"], report["seed"], report["score"]) == (0, "mine.py", 0, 0)
    assert "not transformer_block.py; accepted" in report["notices"][0]["text"]
    assert "1 hand-ins graded" in done.stdout and "Isolation: " in done.stdout


def test_a_fault_of_the_grader_is_a_casualty_and_no_zero(tmp_path: Path) -> None:
    """A reference that does not answer: nobody is charged for it, and the next run tries again."""
    solution = tmp_path / "solution"
    (solution / "misconceptions").mkdir(parents=True)
    (solution / "readings.py").write_text("raise RuntimeError\n", encoding="utf-8")
    folder = handed_in(tmp_path / "class", RIGHT[:1])
    (folder / "stub.py").write_bytes(STUB.read_bytes())
    settings = Settings(1, seeds=Seeds(5))
    cohort = graded(folder, tmp_path / "run", settings, Kit(KIT.exercise, solution))
    assert scores(cohort) == {"stub": 0}
    assert [(one.hand_in.student, "the reference did not answer" in one.text) for one in cohort.casualties] == [
        (RIGHT[0], True)
    ]
    assert len(results(tmp_path / "run")) == 1


def test_a_file_that_cannot_be_read_is_a_casualty(tmp_path: Path) -> None:
    """A damaged member of a zip costs the others nothing."""
    path = tmp_path / "class.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("ada.py", "x" * 100)
        archive.writestr("bo.py", "raise ValueError")
    path.write_bytes(path.read_bytes().replace(b"x" * 100, b"y" * 100))
    cohort = graded(path, tmp_path / "run")
    assert ([one.hand_in.student for one in cohort.casualties], scores(cohort)) == (["ada"], {"bo": 0})


def test_too_little_isolation_stops_the_run(tmp_path: Path) -> None:
    """Nothing is graded and nothing stored: one fault of the machine, not a class of casualties."""
    with Store(tmp_path / "s", write=True) as store, pytest.raises(GraderFault, match="isolation"):
        taken(store, b"!nothing was graded: isolation 'files' is required")
    assert (tmp_path / "s").read_bytes() == b""


def test_the_key_picks_among_sixteen_seeds() -> None:
    """The same for the same file and key, others for another key, none of them the public one."""
    seeds, other = Seeds(key=b"a" * 32), Seeds(key=b"b" * 32)
    picked = [seeds.of(f"{n}") for n in range(400)]
    assert len(set(picked)) == 16 and PUBLIC_SEED not in picked and picked == [seeds.of(f"{n}") for n in range(400)]
    assert not set(picked) & {other.of(f"{n}") for n in range(400)}
    assert Seeds().of("x") == PUBLIC_SEED and "a" * 32 not in repr(seeds)


def test_a_notebook_and_a_file_of_the_same_bytes_are_two() -> None:
    """They are read in different ways."""
    assert digest_of(from_bytes("a.py", b"1")) != digest_of(from_bytes("a.ipynb", b"1"))
    assert digest_of(from_bytes("a.py", b"1")) == digest_of(from_bytes("b.py", b"1"))


@pytest.mark.parametrize("key", [None, b"", b"short"])
def test_a_key_that_is_none_is_a_usage_error(tmp_path: Path, key: bytes | None) -> None:
    """Missing or short: no run with seeds that can be guessed."""
    if key is not None:
        (tmp_path / "key").write_bytes(key)
    with pytest.raises(UsageError, match="key"):
        Seeds.from_file(tmp_path / "key")


def test_a_run_inside_the_class_is_a_usage_error(tmp_path: Path) -> None:
    """Its files would be taken for hand-ins."""
    folder = handed_in(tmp_path / "class", RIGHT[:1])
    with pytest.raises(UsageError, match="another --output"):
        graded(folder, folder / "run")


def test_private_seeds_need_the_solution(tmp_path: Path) -> None:
    """Said before anything is graded."""
    folder = handed_in(tmp_path / "class", RIGHT[:1])
    with pytest.raises(UsageError, match="full kit"):
        graded(folder, tmp_path / "run", Settings(1, seeds=Seeds(5)), Kit(KIT.exercise, None))


@pytest.mark.parametrize(("mark", "status"), [(0, 0), (1, 1)])
def test_pass_mark(tmp_path: Path, mark: int, status: int) -> None:
    """Exit status 1 when somebody has less."""
    folder = tmp_path / "class"
    folder.mkdir()
    (folder / "stub.py").write_bytes(STUB.read_bytes())
    done = ran("class", folder, "--pass-mark", str(mark), "--csv", tmp_path / "marks.csv")
    assert done.returncode == status, done.stderr
    assert "stub,graded,0,100" in (tmp_path / "marks.csv").read_text(encoding="utf-8")
    assert (tmp_path / "class-run" / STORE).exists()
