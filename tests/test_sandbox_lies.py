"""Files that print, forge replies or take modules away: nothing they say is believed, nothing they break matters."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from grader.records import GraderFault
from grader.sandbox import observe
from grader.submission import read
from tests.misbehaving import FAULTY, FILE, GIVEN, POINTS, PROBES, SHORT, asked, faults, numbers, tripled

HARMLESS = {
    "python prints": "print('x' * 10**6); print('x' * 10**6, file=sys.stderr)",
    "raw prints": "[os.write(fd, bytes(10**5)) for fd in (1, 2) for _ in range(20)]",
    "closed streams": "sys.stdout.close(); sys.stderr.close()",
    "no streams": "sys.stdout = sys.stderr = None",
    "module deleted": "sys.modules.pop('transformer_block', None)",
    "json taken away": "json.dumps = json.loads = None",
    "exit taken away": "os._exit = None",
    "path emptied": "sys.path.clear(); sys.modules.pop('nn', None)",
}
_ANSWER = {
    "outcome": "answered", "fault": None, "census": None, "gradients": None, "graph": None, "parts": None,
    "seconds": 0.0, "printed": 0, "answers": [{"numbers": [1.0, 2.0], "said": "", "tuples": False, "untouched": True}],
}  # fmt: skip
FORGED = {
    "a word": b"garbage\n",
    "no text": b"\xff\xfe\x00\x01",
    "a status": b'{"outcome": "passed"}\n',
    "a mark": json.dumps({**_ANSWER, "points": 100}).encode() + b"\n",
    "an outcome": json.dumps({**_ANSWER, "outcome": "blocked"}).encode() + b"\n",
    "another type": json.dumps({**_ANSWER, "seconds": "0"}).encode() + b"\n",
    "no number": json.dumps({**_ANSWER, "seconds": float("nan")}).encode() + b"\n",
    "a huge number": json.dumps({**_ANSWER, "seconds": 10**400}).encode() + b"\n",
    "a negative count": json.dumps({**_ANSWER, "printed": -1}).encode() + b"\n",
    "a deep list": b"[" * 10**5 + b"\n",
}


@pytest.mark.parametrize("line", HARMLESS.values(), ids=HARMLESS.keys())
@pytest.mark.parametrize("place", ["top", "body"])
def test_harmless_mischief_changes_no_answer(tmp_path: Path, place: str, line: str) -> None:
    """Prints, closed streams and modules taken away cost nothing, at import as in forward."""
    transcript = asked(tmp_path, top=line) if place == "top" else asked(tmp_path, body=line)
    assert numbers(transcript, FAULTY) == [tuple(2 * v for v in x) for x in POINTS] and tripled(transcript)


def test_prints_are_counted(tmp_path: Path) -> None:
    """Every byte that Python code prints is counted and none is kept, over all answers."""
    assert asked(tmp_path, top="print('ab')", body="print('x' * 999)").printed == 3 + 3 * 1000


@pytest.mark.parametrize("text", FORGED.values(), ids=FORGED.keys())
def test_forged_reply_is_no_answer(tmp_path: Path, text: bytes) -> None:
    """A line that is not exactly of the worker's form is never believed, whatever it claims."""
    transcript = asked(tmp_path, body=f"everywhere({text!r})")
    assert faults(transcript) == [("died", "Garbled"), ("died", "Garbled"), ("blocked", None)]
    assert tripled(transcript)


@pytest.mark.parametrize("text", FORGED.values(), ids=FORGED.keys())
def test_forged_reply_at_import(tmp_path: Path, text: bytes) -> None:
    """A forged line where the report of loading is expected makes the file unloadable."""
    transcript = asked(tmp_path, top=f"everywhere({text!r})")
    assert faults(transcript, PROBES) == [("unloadable", "Garbled")] * len(PROBES)


def test_environment_stays_outside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The submission does not see the grader's environment."""
    monkeypatch.setenv("SECRET_OF_THE_GRADER", "1")
    transcript = asked(tmp_path, body="assert 'SECRET_OF_THE_GRADER' not in os.environ")
    assert faults(transcript) == [("answered", None)] * 3


def test_broken_given_code_is_the_graders_fault(tmp_path: Path) -> None:
    """Given code that cannot run is no fault of the hand-in: there is no observation at all."""
    path = tmp_path / "transformer_block.py"
    path.write_text(FILE.format(top="", body=""), encoding="utf-8")
    with pytest.raises(GraderFault):
        observe(read(path), PROBES, {**GIVEN, "nn": "import nothing_of_this_name"}, SHORT)
