"""When a file has been asked, nothing of it is left: no process, no child to reap, no folder."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

import pytest

from tests.misbehaving import DEADLY, ENDLESS, SHORT, asked

LEFT_BEHIND = {
    "a thread": "threading.Thread(target=time.sleep, args=(600,)).start()",
    "a child": "subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])",
    "a fork": "os.fork() or time.sleep(600)",
    "a daemon": "os.fork() or (os.setsid(), os.fork() or time.sleep(600), os._exit(0))",
    "a file": "open('left.txt', 'w').write('x')",
    "a locked folder": "os.mkdir('left'), open('left/behind', 'w').close(), os.chmod('left', 0)",
}


def _children() -> set[str]:
    """The numbers of this process's children, those that are dead and not reaped included."""
    return set(" ".join(path.read_text() for path in Path("/proc/self/task").glob("*/children")).split())


def _inside(folder: Path) -> list[str]:
    """The processes that work in a folder below this one, also if it is deleted."""
    found = []
    for link in Path("/proc").glob("[0-9]*/cwd"):
        try:
            found += [link.parent.name] * str(link.readlink()).startswith(f"{folder}/")
        except OSError:  # it has ended, or is another user's
            continue
    return found


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="looks for processes in Linux's /proc")
@pytest.mark.parametrize("line", [*LEFT_BEHIND.values(), *ENDLESS[:1], *DEADLY], ids=str)
@pytest.mark.parametrize("place", ["top", "body"])
def test_nothing_is_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str, line: str) -> None:
    """Afterwards no process of the submission runs, no child waits to be reaped, and the worker's folder is gone."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    before = _children()
    attempt = {"top": f"try: {line}\nexcept Exception: pass", "body": f"try: {line}\n        except Exception: pass"}
    asked(tmp_path, attempt["top"] if place == "top" else "", attempt["body"] if place == "body" else "", SHORT)
    patience = time.monotonic() + 10.0  # a killed process takes a moment to be gone
    while _inside(folder) and time.monotonic() < patience:
        time.sleep(0.01)
    assert (_inside(folder), _children() - before, list(folder.iterdir())) == ([], set(), [])
