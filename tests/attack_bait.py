"""Bait for attacks: files to steal or overwrite and listeners to call, all harmless, and what happened to each."""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import socket
import tempfile
from pathlib import Path

TOKEN = "0f8fad5bd9cb"  # what must not get out: short, so that no message cuts it
FILES = {
    "secret.txt": f"another student's work {TOKEN}\n",
    "results.json": '{"score": 0}\n',
    "kit/grading.py": "POINTS = 0\n",
    "kit/__pycache__/grading.pyc": "compiled\n",
    "site/README.txt": "site packages\n",
    "github_env": "",
}
SETUID = "setuid_id"  # prints who it runs as; root's, and only root can lay it out
LISTENER = "listener"


class Bait:
    """A folder of its own with files and listeners on loopback, while entered; all of it belongs to ``user``."""

    def __init__(self, user: int) -> None:
        self.user = user
        self._closing = contextlib.ExitStack()

    def __enter__(self) -> Bait:
        self.folder = Path(tempfile.mkdtemp(prefix="kit-attack-"))
        self._closing.callback(shutil.rmtree, self.folder, ignore_errors=True)
        kinds = {"TCP": socket.SOCK_STREAM, "UDP": socket.SOCK_DGRAM}
        self._listeners = {name: socket.socket(socket.AF_INET, kind) for name, kind in kinds.items()}
        self._listeners |= {name: socket.socket(socket.AF_UNIX) for name in ("unix", "abstract")}
        addresses: dict[str, object] = {"unix": str(self.folder / LISTENER), "abstract": f"\0{self.folder}"}
        for name, listener in self._listeners.items():
            self._closing.callback(listener.close)
            listener.setblocking(False)
            listener.bind(addresses.get(name, ("127.0.0.1", 0)))  # type: ignore[arg-type]  # each family has its own
            if name != "UDP":
                listener.listen()
        return self

    def __exit__(self, *_: object) -> None:
        self._closing.close()

    def port(self, name: str) -> int:
        """The port of the listener TCP or UDP."""
        port: int = self._listeners[name].getsockname()[1]
        return port

    def lay_out(self) -> None:
        """Fresh files, and nothing else."""
        for entry in self.folder.iterdir():
            if entry.is_dir() and not entry.is_symlink():
                shutil.rmtree(entry)
            elif entry.name != LISTENER:
                entry.unlink()
        for name, text in FILES.items():
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        if os.geteuid() == 0:
            for path in (self.folder, *self.folder.rglob("*")):
                os.chown(path, self.user, self.user)
            shutil.copy("/usr/bin/id", self.folder / SETUID)
            (self.folder / SETUID).chmod(0o4755)

    def put(self, name: str, data: bytes) -> Path:
        """One more file."""
        path = self.folder / name
        path.write_bytes(data)
        if os.geteuid() == 0:
            os.chown(path, self.user, self.user)
        return path

    def state(self) -> dict[str, object]:
        """Everything in the folder and in its shadow in shared memory: mode, time, links and content."""
        shadow = list(Path("/dev/shm").glob(f"{self.folder.name}*"))
        found: dict[str, object] = {}
        for path in sorted([*self.folder.rglob("*"), *shadow]):
            about = path.lstat()
            content = hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
            found[path.name] = (about.st_mode, about.st_mtime_ns, about.st_nlink, content)
            if path in shadow:
                path.unlink()
        return found

    def contacts(self) -> list[str]:
        """Which listeners were called since this was last asked."""
        found = set()
        for name, listener in self._listeners.items():
            with contextlib.suppress(BlockingIOError):
                while True:
                    listener.recv(2**16) if name == "UDP" else listener.accept()[0].close()
                    found.add(f"{name} socket contacted")
        return sorted(found)


def changes(before: dict[str, object], after: dict[str, object]) -> list[str]:
    """Files that came, went or changed, the first few by name."""
    names = sorted(name for name in before.keys() | after.keys() if before.get(name) != after.get(name))
    return [f"{name} changed" for name in names[:2]] + ([f"{len(names) - 2} more files changed"] if names[2:] else [])
