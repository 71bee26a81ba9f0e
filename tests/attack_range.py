"""A place where attacks do no harm: things to steal, overwrite, call and kill, all bait, and what happened to each."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import queue
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
TOKEN = "0f8fad5bd9cb"  # what must not get out: short, so that no message cuts it
LOOT = "loot:"  # an attack that got something else says so with this word
NOBODY = 65534
PATIENCE = 75.0  # seconds: more than any hand-in may take
BAIT = {
    "secret.txt": f"another student's work {TOKEN}\n",
    "results.json": '{"score": 0}\n',
    "kit/grading.py": "POINTS = 0\n",
    "kit/__pycache__/grading.pyc": "compiled\n",
    "site/README.txt": "site packages\n",
    "github_env": "",
}
# Stand-ins in the text of an attack, and what they become: ports, the decoy's number and the folder of the bait.
TCP, UDP, DECOY, FOLDER = "47011", "47012", "47013", "/tmp/kit-attack"


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


def interpreter(user: int | None) -> str | None:
    """A Python that ``user`` may run; None when there is none."""
    if user is None:
        return sys.executable
    for path in (sys.executable, "/usr/bin/python3", "/usr/local/bin/python3"):
        with contextlib.suppress(OSError):  # it may lie in root's own folder
            version = [path, "-c", "import sys; sys.exit(sys.version_info < (3, 10))"]
            if subprocess.run(version, check=False, **_as(user)).returncode == 0:
                return path
    return None


def _as(user: int | None) -> dict[str, Any]:
    return {} if user is None else {"user": user, "group": user, "extra_groups": []}


class Range:
    """Bait, a decoy process, listeners on loopback, and a grader to attack, while entered."""

    def __init__(self, user: int | None = None) -> None:
        self.user, self.python = user, interpreter(user)
        self._closing = contextlib.ExitStack()

    def __enter__(self) -> Range:
        self.folder = Path(tempfile.mkdtemp(prefix="kit-attack-"))
        self._closing.callback(shutil.rmtree, self.folder, ignore_errors=True)
        self._listeners = self._listen()
        self._grader: subprocess.Popen[str] | None = None
        self._decoy: subprocess.Popen[bytes] | None = None
        return self

    def __exit__(self, *_: object) -> None:
        for process in (self._grader, self._decoy):
            if process is not None:
                _end(process)
        self._closing.close()

    def _listen(self) -> dict[str, socket.socket]:
        kinds = {"TCP": socket.SOCK_STREAM, "UDP": socket.SOCK_DGRAM}
        made = {name: socket.socket(socket.AF_INET, kind) for name, kind in kinds.items()}
        made |= {name: socket.socket(socket.AF_UNIX) for name in ("unix", "abstract")}
        for one in made.values():
            self._closing.callback(one.close)
            one.setblocking(False)
        for name in kinds:
            made[name].bind(("127.0.0.1", 0))
        made["unix"].bind(str(self.folder / "listener"))
        made["abstract"].bind(f"\0{self.folder}")
        for name in ("TCP", "unix", "abstract"):
            made[name].listen()
        return made

    def _lay_out(self) -> None:
        """Fresh bait, owned by whoever grades, and a living decoy and grader."""
        for entry in self.folder.iterdir():
            if entry.name != "listener":
                shutil.rmtree(entry) if entry.is_dir() and not entry.is_symlink() else entry.unlink()
        for name, text in BAIT.items():
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        if os.geteuid() == 0:
            shutil.copy("/usr/bin/id", self.folder / "setuid_id")
            for path in (self.folder, *self.folder.rglob("*")):
                os.chown(path, *(self.user or 0,) * 2)
            os.chown(self.folder / "setuid_id", 0, 0)
            (self.folder / "setuid_id").chmod(0o4755)
        if self._decoy is None or self._decoy.poll() is not None:
            self._decoy = subprocess.Popen(["/bin/sleep", "600"], **_as(self.user))
        if self._grader is None or self._grader.poll() is not None:
            self._grader = self._start_grader()

    def _start_grader(self) -> subprocess.Popen[str]:
        secret = {"KIT_ATTACK_SECRET": TOKEN, "GITHUB_ENV": str(self.folder / "github_env")}
        return subprocess.Popen(
            [str(self.python), "-I", "-B", str(ROOT / "tests" / "attack_grader.py")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd="/",
            env={"PATH": os.defpath, "LC_ALL": "C.UTF-8", **secret},
            start_new_session=True,
            **_as(self.user),
        )

    def attempt(self, attack: Path, level: str) -> Outcome:
        """Grade one hostile hand-in at a level, and look at everything it might have touched."""
        self._lay_out()
        assert self._decoy is not None
        tcp, udp = (self._listeners[name].getsockname()[1] for name in ("TCP", "UDP"))
        text = attack.read_bytes().replace(FOLDER.encode(), str(self.folder).encode())
        for stand_in, number in ((TCP, tcp), (UDP, udp), (DECOY, self._decoy.pid)):
            text = text.replace(stand_in.encode(), str(number).encode())
        hand_in = self.folder / "transformer_block.py"
        hand_in.write_bytes(text)
        if os.geteuid() == 0:
            os.chown(hand_in, *(self.user or 0,) * 2)
        before = self._bait()
        answer = self._ask(hand_in, level)
        effects = [*self._signs(answer), *self._contacts()]
        effects += [f"file {name} changed" for name in _changes(before, self._bait())]
        if self._decoy.poll() is not None:
            effects.append("decoy process killed")
        return Outcome(answer.get("score", 0), tuple(effects), answer.get("statuses", {}), answer)

    def _ask(self, hand_in: Path, level: str) -> dict[str, Any]:
        grader, lines = self._grader, queue.SimpleQueue[str]()
        assert grader is not None and grader.stdin is not None and grader.stdout is not None
        with contextlib.suppress(OSError):
            grader.stdin.write(json.dumps({"path": str(hand_in), "level": level}) + "\n")
            grader.stdin.flush()
        reader = grader.stdout
        threading.Thread(target=lambda: lines.put(reader.readline()), daemon=True).start()
        try:
            line = lines.get(timeout=PATIENCE)
        except queue.Empty:
            _end(grader)
            return {"gone": "hung"}
        if not line:
            grader.wait()
            return {"gone": "killed"}
        answer: dict[str, Any] = json.loads(line)
        return answer

    def _signs(self, answer: dict[str, Any]) -> list[str]:
        """Side effects that the grader's own answer shows."""
        if "gone" in answer:
            return [f"grader {answer['gone']}"]
        signs = [f"grader: {answer['fault']}"] if "fault" in answer else []
        said = answer.get("printed", "") + answer.get("shown", "")
        signs += ["secret told"] if TOKEN in said else []
        signs += ["loot taken"] if LOOT in answer.get("printed", "") else []
        signs += [f"{answer['left']} processes left"] if answer["left"] else []
        signs += ["grader's limits changed"] if answer["changed"] else []
        lines = answer.get("shown", "").splitlines()
        signs += ["control characters shown"] if any(ord(c) < 32 for line in lines for c in line) else []
        return signs + (["a line at column 0"] if any(line.startswith(("::", "##[")) for line in lines) else [])

    def _contacts(self) -> list[str]:
        found = []
        for name, listener in self._listeners.items():
            with contextlib.suppress(BlockingIOError):
                while True:
                    listener.recv(2**16) if name == "UDP" else listener.accept()[0].close()
                    found.append(f"{name} socket contacted")
        return sorted(set(found))

    def _bait(self) -> dict[str, object]:
        """Everything in the folder and its shadow in shared memory: mode, times and content."""
        shadow = list(Path("/dev/shm").glob(f"{self.folder.name}*"))
        found: dict[str, object] = {}
        for path in sorted([*self.folder.rglob("*"), *shadow]):
            about = path.lstat()
            content = hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
            found[path.name] = (about.st_mode, about.st_mtime_ns, about.st_nlink, content)
            if path in shadow:
                path.unlink()
        return found


def _changes(before: dict[str, object], after: dict[str, object]) -> list[str]:
    names = sorted(name for name in before.keys() | after.keys() if before.get(name) != after.get(name))
    return names if len(names) < 4 else [*names[:2], f"and {len(names) - 2} more"]


def _end(process: subprocess.Popen[Any]) -> None:
    with contextlib.suppress(OSError):
        process.send_signal(signal.SIGKILL)
    process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with contextlib.suppress(OSError):
                pipe.close()
