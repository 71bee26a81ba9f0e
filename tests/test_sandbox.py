"""Files that raise, hang or die: each way is an answer of its own, and costs no other component anything."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.sandbox import Limits
from tests.misbehaving import DEADLY, ENDLESS, FAULTY, FILE, PROBES, SHORT, asked, faults, tripled

# What stands at import or in forward, and the fault it must be: exceptions, and what has no end.
RAISED = {
    "sys.exit()": "SystemExit",
    "raise SystemExit(0)": "SystemExit",
    "raise KeyboardInterrupt": "KeyboardInterrupt",
    "raise GeneratorExit": "GeneratorExit",
    "input()": "EOFError",
    "import pytest": "ModuleNotFoundError",
    "import grader": "ModuleNotFoundError",
}


@pytest.mark.parametrize(("line", "fault"), {**RAISED, "raise MemoryError": "MemoryError"}.items())
def test_exception_at_import(tmp_path: Path, line: str, fault: str) -> None:
    """Whatever is raised while the file loads, every question has the answer `unloadable` with the exception."""
    assert faults(asked(tmp_path, top=line), PROBES) == [("unloadable", fault)] * len(PROBES)


def test_todo_at_import_is_not_todo(tmp_path: Path) -> None:
    """NotImplementedError at module level makes the file unloadable: no method is "not written yet"."""
    transcript = asked(tmp_path, top="raise NotImplementedError")
    assert faults(transcript, PROBES) == [("unloadable", "NotImplementedError")] * len(PROBES)


@pytest.mark.parametrize(("line", "fault"), RAISED.items())
def test_exception_in_forward(tmp_path: Path, line: str, fault: str) -> None:
    """Whatever forward raises is that answer's fault, with its line, and other components keep their answers."""
    transcript = asked(tmp_path, body=line)
    assert faults(transcript) == [("raised", fault)] * 3
    line_of_body = FILE[: FILE.index("{body}")].count("\n") + 1
    assert {one.fault.line for one in transcript.observations.values() if one.fault} == {line_of_body}
    assert tripled(transcript)


@pytest.mark.parametrize("line", ["raise MemoryError", "bytes(2**55)"])
def test_memory_in_forward(tmp_path: Path, line: str) -> None:
    """Running out of memory is the answer `memory`, and other components keep their answers."""
    transcript = asked(tmp_path, body=line)
    assert faults(transcript) == [("memory", "MemoryError")] * 3 and tripled(transcript)


@pytest.mark.parametrize("line", ["self.forward(x)", "(f := lambda n: f(n + 1))(0)"])
def test_recursion_in_forward(tmp_path: Path, line: str) -> None:
    """Endless recursion is an ordinary exception, and other components keep their answers."""
    transcript = asked(tmp_path, body=line)
    assert faults(transcript) == [("raised", "RecursionError")] * 3 and tripled(transcript)


@pytest.mark.parametrize("line", ENDLESS)
def test_endless_import(tmp_path: Path, line: str) -> None:
    """A file that never finishes loading is unloadable for lack of time."""
    assert faults(asked(tmp_path, top=line, limits=SHORT), PROBES) == [("unloadable", "Timeout")] * len(PROBES)


@pytest.mark.parametrize("line", [*ENDLESS, "try:\n            while True: pass\n        finally: self.forward(x)"])
def test_endless_forward(tmp_path: Path, line: str) -> None:
    """A component that has hung once is not asked again, and other components keep their answers."""
    transcript = asked(tmp_path, body=line, limits=SHORT)
    assert faults(transcript) == [("timeout", "Timeout"), ("blocked", None), ("blocked", None)]
    assert tripled(transcript)


def test_slow_file_ends_with_the_total(tmp_path: Path) -> None:
    """A file that is slow everywhere is ended when the time for all of it is used up; what it answered stays."""
    transcript = asked(tmp_path, body="time.sleep(0.7)", limits=Limits(probe=30.0, total=1.0))
    outcomes = [transcript.observations[probe].outcome for probe in PROBES]
    assert outcomes[:2] == ["answered", "answered"] and set(outcomes[4:]) <= {"timeout", "blocked"}


@pytest.mark.parametrize(("line", "how"), DEADLY.items())
def test_death_at_import(tmp_path: Path, line: str, how: str) -> None:
    """A file that ends or mutes its process while it loads is unloadable, and the fault says how it died."""
    transcript = asked(tmp_path, top=line, limits=Limits(load=60.0))
    assert faults(transcript, PROBES) == [("unloadable", "Died")] * len(PROBES)
    assert all(one.fault and how in one.fault.text for one in transcript.observations.values())


@pytest.mark.parametrize(("line", "how"), DEADLY.items())
def test_death_in_forward(tmp_path: Path, line: str, how: str) -> None:
    """A component may end its process twice, then it is not asked again; other components keep their answers."""
    transcript = asked(tmp_path, body=line, limits=Limits(probe=60.0, total=120.0))
    assert faults(transcript) == [("died", "Died"), ("died", "Died"), ("blocked", None)]
    assert all(one.fault and how in one.fault.text for one in map(transcript.observations.get, FAULTY[:2]) if one)
    assert tripled(transcript)
