"""How workers end: with a killed grader, with all that they started, and never with the thread that started them."""

from __future__ import annotations

import re
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path

import pytest

from grader import process, sandbox
from grader.isolation import Level
from grader.records import Probe, Submission

ROOT = Path(__file__).parent.parent
GIVEN = sandbox.given_code(ROOT / "exercise")
ASKED = Probe("LayerNorm", (4.0,))

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a worker ends by its limit of CPU time")


def _ended_by(text: str) -> str:
    """How a worker at level process is reported that ran ``text``."""
    submission = Submission("transformer_block.py", "", textwrap.dedent(text))
    fault = sandbox.observe(submission, [ASKED], GIVEN, require="process", apply="process").observations[ASKED].fault
    assert fault is not None
    return fault.text


def _gone(pid: int, seconds: float = 5.0) -> bool:
    """Whether a process ends in time; a zombie that nobody reaps counts as ended."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            if re.search(r"^State:\s+[ZX]", Path(f"/proc/{pid}/status").read_text(), re.MULTILINE):
                return True
        except OSError:
            return True
        time.sleep(0.01)
    return False


HANGS = "import time; time.sleep(60)"
CUTS_ALL_PIPES = "import os, time; os.closerange(0, 64); time.sleep(60)"
GRADER = f"""
import sys, threading, time
sys.path.insert(0, {str(ROOT)!r})
from functools import partial
from grader.forking import ForkServer
from grader.process import Process
fork = partial(ForkServer({GIVEN!r}).fork, asked=b"[]") if sys.argv[1] == "server" else lambda *_: None
def grade():
    with Process(sys.argv[2], sys.argv[3], 60, fork) as worker:
        worker.start({GIVEN!r}, 30)
        worker.send({{"name": "x.py", "text": sys.argv[4], "probes": []}})
        print(worker._process.pid, flush=True)
        time.sleep(60)
if sys.argv[1] != "pool":
    grade()
threading.Thread(target=grade).start()
"""


@pytest.mark.parametrize(
    ("thread", "level", "text"),
    [
        ("main", "process", HANGS),
        ("main", "full", HANGS),
        ("main", "full", CUTS_ALL_PIPES),
        ("pool", "process", HANGS),
        ("pool", "full", HANGS),
        ("server", "process", HANGS),
        ("server", "full", HANGS),
        ("server", "full", CUTS_ALL_PIPES),
    ],
)
def test_no_worker_outlives_a_killed_grader(tmp_path: Path, thread: str, level: Level, text: str) -> None:
    """SIGKILL for the grader in the middle of a run ends its worker, whoever started it."""
    command = [sys.executable, "-I", "-B", "-c", GRADER, thread, str(tmp_path), level, text]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as grader:
        assert grader.stdout is not None
        pid = int(grader.stdout.readline())
        assert not _gone(pid, 0.2)
        grader.kill()
        assert _gone(pid)


def test_a_worker_outlives_the_thread_that_started_it(tmp_path: Path) -> None:
    """Thread pools end their threads early; the kernel's death signal goes by threads and must not be used there."""
    worker = process.Process(str(tmp_path), "full", 60)

    def start() -> None:
        worker.__enter__()
        worker.start(GIVEN, 30)

    thread = threading.Thread(target=start)
    thread.start()
    thread.join()
    try:
        assert not _gone(worker._process.pid, 0.2)
        worker.send({"name": "x.py", "text": "", "probes": []})
        assert worker.reply(30)["loaded"] is True
    finally:
        worker.__exit__()


def test_what_a_worker_left_in_its_group_is_killed_with_it(tmp_path: Path) -> None:
    """At level process a hand-in can fork; a child that stays in the group dies with a worker that ended itself."""
    note = tmp_path / "pid"
    text = f"""
        import os, time
        child = os.fork()
        if child == 0:
            time.sleep(60)
        open({str(note)!r}, "w").write(str(child))
        os._exit(0)
    """
    assert "exit status 0" in _ended_by(text)
    assert _gone(int(note.read_text()))


def test_death_by_a_nameless_signal_is_an_answer() -> None:
    """A real-time signal has no name in Python, and the grader must not stumble over it."""
    assert _ended_by("import os; os.kill(os.getpid(), 40)") == "the process crashed (signal 40)"
