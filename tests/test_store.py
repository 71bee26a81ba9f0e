"""The store of a run: what is written is there, what a crash tore is not, and nobody else writes meanwhile."""

from __future__ import annotations

import base64
import json
import subprocess
import sys
import zlib
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.cohort import Key
from grader.entry import Asking, Entry, Kept, entry, from_line, to_line, unpacked
from grader.forms import BadForm, to_form
from grader.records import Answer, Environment, Observation, Report, Result, Submission, UsageError
from grader.store import Store
from tests.hand_ins import environment

RESULT = Result("LayerNorm.shape", "LayerNorm", "shape", "a claim", "passed", 2, 2, "", "", 0.25)
SUBMISSION = Submission("transformer_block.py", "ab" * 32, "x = 'é\ud7ff'\n")
REPORT = Report(SUBMISSION, 7, (RESULT,), Environment("0", "3", "here", ("full",)), 1.5)
SEEN = Observation("answered", answers=(Answer(((0.1, -2.5e-300),), "a list", False, True),), seconds=0.125)
KEPT = Kept(SUBMISSION.text, None, (Asking(("p",), (SEEN,), 12, ("full",), 1.5),))


def key(number: int = 0, kit: str = "kit") -> Key:
    """A key of its own for each number."""
    return Key(f"{number:064x}.py", kit, 7)


def line(number: int = 0, kit: str = "kit") -> bytes:
    """A whole line."""
    return to_line(entry(key(number, kit), REPORT, KEPT))


def filled(path: Path, count: int = 3) -> Path:
    """A store with some lines."""
    with Store(path, write=True) as store:
        for number in range(count):
            store.append(line(number))
    return path


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    """Report and observations to the last bit; the text is kept once, with the observations."""
    with Store(filled(tmp_path / "s"), write=False) as store:
        found = store[key(1)]
    assert found.report == replace(REPORT, submission=replace(SUBMISSION, text=None))
    assert unpacked(found) == KEPT


def test_a_line_is_whole_in_itself() -> None:
    """One line of ASCII that says its format and its key."""
    form = json.loads(line())
    assert line().isascii() and line().count(b"\n") == 1
    assert (form["format"], form["key"]["seed"]) == ("grader run 1", 7)


@settings(deadline=None)
@given(st.integers(min_value=1, max_value=len(line())))
def test_a_torn_last_line_is_ignored_and_cut_off(tmp_path_factory: pytest.TempPathFactory, lost: int) -> None:
    """Wherever a crash tore it, the lines before it stand and the next one is whole."""
    path = filled(tmp_path_factory.mktemp("run") / "s")
    path.write_bytes(path.read_bytes()[:-lost])
    with Store(path) as store:
        assert len(store) == 2 and key(2) not in store
    with Store(path, write=True) as store:
        store.append(line(2))
    assert path.read_bytes() == line(0) + line(1) + line(2)


def test_a_last_line_of_zeros_is_ignored(tmp_path: Path) -> None:
    """As some file systems leave it when the power fails."""
    path = filled(tmp_path / "s")
    path.write_bytes(path.read_bytes() + bytes(500))
    with Store(path, write=True) as store:
        assert len(store) == 3
    assert path.read_bytes() == line(0) + line(1) + line(2)


@pytest.mark.parametrize(
    "damage", [b"{}\n", b"\n", b"\xff\n", line()[:-20] + b"\n", line().replace(b'"seed":7', b'"seed":"7"')]
)
def test_a_damaged_line_in_the_middle_is_named(tmp_path: Path, damage: bytes) -> None:
    """It is not the work of a crash, so a person decides."""
    (tmp_path / "s").write_bytes(line(0) + damage + line(1))
    with pytest.raises(UsageError, match="line 2 is damaged"), Store(tmp_path / "s"):
        pass


def test_a_line_that_is_none_is_not_written(tmp_path: Path) -> None:
    """The check comes first."""
    with Store(tmp_path / "s", write=True) as store, pytest.raises(BadForm):
        store.append(b"{}\n")
    assert (tmp_path / "s").read_bytes() == b""


@pytest.mark.parametrize(
    "packed", ["", "!", base64.b64encode(zlib.compress(b"{}")).decode(), base64.b64encode(b"abc").decode(),
               base64.b64encode(zlib.compress(b"[" * 10_000)[:-5]).decode()],
)  # fmt: skip
def test_observations_are_checked_when_unpacked(packed: str) -> None:
    """To the last key, like everything that comes from a file."""
    with pytest.raises(BadForm):
        unpacked(Entry("grader run 1", key(), REPORT, packed))


def test_a_later_result_of_another_kit_rests_on_the_same_observations(tmp_path: Path) -> None:
    """Judged again: both results are there, and the observations are kept once."""
    with Store(tmp_path / "s", write=True) as store:
        store.append(line(0))
        store.append(to_line(entry(key(0, "new kit"), replace(REPORT, seconds=9.0), None)))
        latest, evidence = store.latest(key().hand_in, 7), store.evidence(key().hand_in, 7)
        assert latest and evidence
        assert (latest.report.seconds, evidence.key.kit, from_line(to_line(latest))) == (9.0, "kit", latest)


def test_there_is_one_writer(tmp_path: Path) -> None:
    """Another process is refused while one writes; who reads may read; when it has died the next may write."""
    code = (
        "import sys; from pathlib import Path; from grader.store import Store\n"
        "with Store(Path(sys.argv[1]), write=True):\n    print('open', flush=True); sys.stdin.read()"
    )
    path = filled(tmp_path / "s")
    writer = subprocess.Popen(
        [sys.executable, "-c", code, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment()
    )
    assert writer.stdout is not None and writer.stdout.readline().strip() == b"open"
    with pytest.raises(UsageError, match="another grader"), Store(path, write=True):
        pass
    with Store(path) as store:
        assert len(store) == 3
    writer.kill()
    writer.communicate()
    with Store(path, write=True) as store:
        assert len(store) == 3


def test_a_missing_store_is_a_usage_error(tmp_path: Path) -> None:
    """To read there must be one."""
    with pytest.raises(UsageError, match="cannot open"), Store(tmp_path / "s"):
        pass


def test_texts_are_packed_as_they_came() -> None:
    """An observation whose JSON is at hand is read back the same, beside one that is not."""
    other = Observation("blocked")
    kept = Kept("x", None, (Asking(("p", "q"), (SEEN, other), 12, ("full",), 1.5), Asking(("r",), (SEEN,), 0, (), 0.5)))
    text = json.dumps(to_form(SEEN))
    assert (
        unpacked(entry(key(), REPORT, kept, {"p": text})) == kept == unpacked(entry(key(), REPORT, kept, {"r": text}))
    )
