"""A place where attacks do no harm: bait, a decoy process and a grader to attack, and what came of each attempt."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import re
import signal
import subprocess
import sys
import threading
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.attack_bait import TOKEN, Bait, changes

ROOT = Path(__file__).resolve().parent.parent
LOOT = "loot:"  # an attack that got something else says so with this word
NOBODY = 65534
PATIENCE = 100.0  # seconds for one hand-in: more than its deadline and all that is asked to name its mistakes
# What stands in the text of an attack for two ports, the decoy's number and the folder of the bait.
TCP, UDP, DECOY, FOLDER = b"47011", b"47012", b"47013", b"/tmp/kit-attack"
# A line that a CI runner obeys, and characters that steer a terminal, break lines or turn the direction of text.
COMMAND = re.compile(r"^(::|##\[)", re.MULTILINE)
STEERING = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]")


@dataclass(frozen=True)
class Outcome:
    """What came of one attack: the report's facts, and every side effect that was seen from outside."""

    score: int
    effects: tuple[str, ...]
    statuses: dict[str, str] = field(default_factory=dict)
    facts: dict[str, Any] = field(default_factory=dict)

    def status_of(self, component: str) -> str:
        """The status of a component's first line."""
        return next((status for name, status in self.statuses.items() if name.startswith(f"{component}.")), "none")


def _as(user: int | None) -> dict[str, Any]:
    return {} if user is None else {"user": user, "group": user, "extra_groups": []}


def interpreter(user: int | None) -> str | None:
    """A Python that ``user`` may run (None: whoever runs this); None when there is none."""
    if user is None:
        return sys.executable
    for path in (sys.executable, "/usr/bin/python3", "/usr/local/bin/python3"):
        with contextlib.suppress(OSError):  # it may lie in root's own folder
            version = [path, "-c", "import sys; sys.exit(sys.version_info < (3, 10))"]
            if subprocess.run(version, check=False, **_as(user)).returncode == 0:
                return path
    return None


class Range:
    """Bait, a decoy process and a grader, all of one user (None: whoever runs this), while entered."""

    def __init__(self, user: int | None = None) -> None:
        self.user, self.python = user, interpreter(user)
        self.bait = Bait(os.geteuid() if user is None else user)
        self._graders: dict[str, subprocess.Popen[str]] = {}  # for each level: what one gives up is gone for good
        self._decoy: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Range:
        self.bait.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        for grader in self._graders.values():
            _end(grader)
        if self._decoy is not None:
            _end(self._decoy)
        self.bait.__exit__()

    def attempt(self, attack: Path, level: str) -> Outcome:
        """Grade one hostile hand-in at a level, and look at everything that it might have touched."""
        self.bait.lay_out()
        grader, decoy = self._living_grader(level), self._living_decoy()
        named = {FOLDER: os.fsencode(self.bait.folder), DECOY: b"%d" % decoy.pid}
        named |= {TCP: b"%d" % self.bait.port("TCP"), UDP: b"%d" % self.bait.port("UDP")}
        text = re.sub(b"|".join(named), lambda found: named[found[0]], attack.read_bytes())
        hand_in = self.bait.put("transformer_block.py", text)
        before = self.bait.state()
        answer = _asked(grader, {"path": str(hand_in), "level": level})
        effects = [*_signs(answer), *self.bait.contacts(), *changes(before, self.bait.state())]
        if decoy.poll() is not None:
            effects.append("another process killed")
        if answer.get("changed"):
            _end(grader)  # the next attempt is to meet one that is as it was started
        return Outcome(answer.get("score", 0), tuple(effects), answer.get("statuses", {}), answer)

    def _living_decoy(self) -> subprocess.Popen[bytes]:
        if self._decoy is None or self._decoy.poll() is not None:
            self._decoy = subprocess.Popen(["/bin/sleep", "3600"], **_as(self.user))
        return self._decoy

    def _living_grader(self, level: str) -> subprocess.Popen[str]:
        grader = self._graders.get(level)
        if grader is None or grader.poll() is not None:
            secrets = {"KIT_ATTACK_SECRET": TOKEN, "GITHUB_ENV": str(self.bait.folder / "github_env")}
            grader = self._graders[level] = subprocess.Popen(
                [str(self.python), "-I", "-B", str(ROOT / "tests" / "attack_grader.py")],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                cwd="/",
                env={"PATH": os.defpath, "LC_ALL": "C.UTF-8", **secrets},
                start_new_session=True,
                **_as(self.user),
            )
        return grader


def _asked(grader: subprocess.Popen[str], question: dict[str, str]) -> dict[str, Any]:
    """The grader's answer, or how it went away instead."""
    lines: queue.SimpleQueue[str] = queue.SimpleQueue()
    assert grader.stdin is not None and grader.stdout is not None
    with contextlib.suppress(OSError):
        grader.stdin.write(json.dumps(question) + "\n")
        grader.stdin.flush()
    reader = grader.stdout
    thread = threading.Thread(target=lambda: lines.put(reader.readline()), daemon=True)
    thread.start()
    try:
        line = lines.get(timeout=PATIENCE)
    except queue.Empty:
        _end(grader, thread)
        return {"gone": "hung"}
    if not line:
        _end(grader, thread)
        return {"gone": "killed"}
    answer: dict[str, Any] = json.loads(line)
    return answer


def _signs(answer: dict[str, Any]) -> list[str]:
    """Side effects that the grader's own answer shows."""
    if "gone" in answer:
        return [f"grader {answer['gone']}"]
    shown, printed = answer.get("shown", ""), answer.get("printed", "")
    seen = {
        f"grader: {answer.get('fault')}": "fault" in answer,
        "secret told": TOKEN in printed,
        "loot taken": LOOT in printed,
        f"{answer['left']} processes left": answer["left"] > 0,
        "the grader's limits changed": answer["changed"],
        "a CI command shown": COMMAND.search(shown) is not None,
        "control characters shown": STEERING.search(shown) is not None,
    }
    return [sign for sign, true in seen.items() if true]


def _end(process: subprocess.Popen[Any], reader: threading.Thread | None = None) -> None:
    with contextlib.suppress(OSError):
        process.send_signal(signal.SIGKILL)
    process.wait()
    if reader is not None:
        reader.join()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with contextlib.suppress(OSError):
                pipe.close()
