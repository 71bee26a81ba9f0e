"""Behind the walls: what a hand-in may not do at each level, tried by a hand-in, and what it still may."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest

from grader import isolation, sandbox
from grader.isolation import Level
from grader.records import Observation, Probe, Submission

ROOT = Path(__file__).parent.parent
GIVEN = sandbox.given_code(ROOT / "exercise")
ASKED = Probe("LayerNorm", (4.0,))
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="these layers are Linux's")
NOBODY = 65534

# One statement each; all but the last are refused by OSError, a thread by RuntimeError.
FORBIDDEN = {
    "read the kit": f"open({str(ROOT / 'grader' / 'records.py')!r})",
    "list the root folder": "os.listdir('/')",
    "read the grader's environment": "open(f'/proc/{os.getppid()}/environ', 'rb').read()",
    "write a file": "os.write(os.open('note.txt', os.O_CREAT | os.O_WRONLY), b'x')",
    "write to shared memory": "open('/dev/shm/note', 'w').write('x')",
    "make a folder": "os.mkdir('folder')",
    "change a mode": "os.chmod('.', 0o777)",
    "change a time": "os.utime('.')",
    "truncate": f"os.truncate({str(ROOT / 'README.md')!r}, 1)",
    "fork": "os.fork() or os._exit(0)",
    "run a program": "os.execv('/bin/true', ['true'])",
    "connect by TCP": "socket.socket(socket.AF_INET, socket.SOCK_STREAM)",
    "send by UDP": "socket.socket(socket.AF_INET, socket.SOCK_DGRAM)",
    "connect locally": "socket.socketpair()",
    "signal the grader": "os.kill(os.getppid(), 0)",
    "signal by a descriptor": "fcntl.fcntl(1, fcntl.F_SETOWN, os.getppid())",
    "cut the lifeline": "[fcntl.fcntl(fd, fcntl.F_SETFL, 0) for fd in range(3, 9)]",
    "outlive the grader": "check(libc.prctl(1, 0, 0, 0, 0))",
    "trace the grader": "check(libc.ptrace(16, os.getppid(), 0, 0))",
    "raise a limit": "check(libc.setrlimit(1, ctypes.byref(ctypes.create_string_buffer(16))))",
    "leave shared memory": "check(libc.shmget(0, 4096, 0o1600))",
    "call by the x32 numbers": "check(libc.syscall(0x40000000 + 39))",
    "start a thread": "_thread.start_new_thread(int, ())",
}
ATTEMPTS = """
import _thread, ctypes, fcntl, os, socket
libc = ctypes.CDLL(None, use_errno=True)
def check(result):
    if result < 0:
        raise OSError(ctypes.get_errno(), "refused")
done = []
for name, attempt in {attempts!r}.items():
    try:
        exec(attempt)
        done.append(name)
    except (OSError, RuntimeError):
        pass
raise AssertionError(str(done))
"""


def _observed(text: str, apply: Level = "full", require: Level = "process") -> Observation:
    submission = Submission("transformer_block.py", "", textwrap.dedent(text))
    transcript = sandbox.observe(submission, [ASKED], GIVEN, sandbox.Limits(), require, apply)
    return transcript.observations[ASKED]


def _said(text: str, apply: Level = "full", require: Level = "process") -> str:
    """The text of the exception by which a hand-in ends its own loading."""
    fault = _observed(text, apply, require).fault
    assert fault is not None
    return fault.text


@LINUX
def test_nothing_forbidden_succeeds_at_level_full() -> None:
    """Files, processes, network, signals and limits are all closed to a hand-in."""
    assert _said(ATTEMPTS.format(attempts=FORBIDDEN), "full", "full") == "[]"


@LINUX
@pytest.mark.parametrize(("level", "names"), [("limits", ("write a file", "fork", "raise a limit")), ("files", ())])
def test_lower_levels_keep_their_own_promises(level: Level, names: tuple[str, ...]) -> None:
    """Level limits refuses writing and forking; level files every touch of a file as well."""
    names = names or (*tuple(FORBIDDEN)[:11], "raise a limit", "start a thread")
    attempts = {name: FORBIDDEN[name] for name in names}
    assert _said(ATTEMPTS.format(attempts=attempts), level, level) == "[]"


def _as_an_ordinary_user() -> tuple[str, dict[str, Any]]:
    """An interpreter and how to start it as somebody who is not root: root becomes nobody, others stay themselves."""
    if os.geteuid() != 0:
        return sys.executable, {}
    nobody: dict[str, Any] = {"user": NOBODY, "group": NOBODY, "extra_groups": []}
    for path in (sys.executable, "/usr/bin/python3", "/usr/local/bin/python3"):
        version = [path, "-c", "import sys; sys.exit(sys.version_info < (3, 10))"]
        with contextlib.suppress(OSError):  # it may lie in root's own folder
            if subprocess.run(version, check=False, **nobody).returncode == 0:
                return path, nobody
    pytest.skip("no Python 3.10 here is open to other users")


@LINUX
def test_an_ordinary_user_has_every_level_too() -> None:
    """Nothing of level full needs root, and the grader's own memory is closed to the same user."""
    interpreter, user = _as_an_ordinary_user()
    program = f"""
        import sys
        sys.path.insert(0, {str(ROOT)!r})
        from grader.isolation import lines
        from grader.sandbox import *
        submission = Submission("x.py", "", {ATTEMPTS.format(attempts=FORBIDDEN)!r})
        seen = observe(submission, [Probe("LayerNorm", (4.0,))], {GIVEN!r}, require="full")
        print(*seen.isolation, *(o.fault.text for o in seen.observations.values()), sep="\\n")
    """
    command = [interpreter, "-I", "-B", "-c", textwrap.dedent(program)]
    done = subprocess.run(command, cwd="/", capture_output=True, text=True, check=False, **user)
    lines = done.stdout.splitlines()
    assert done.stderr == ""
    assert lines[-1] == "[]"
    assert "grader memory: on (not readable by processes of the same user)" in lines


@LINUX
def test_the_standard_library_can_be_imported_behind_the_walls() -> None:
    """What a hand-in may import stays readable: pure modules, compiled ones, and packages."""
    modules = "math random typing dataclasses functools itertools collections statistics decimal fractions json heapq"
    text = f"import {', '.join((modules + ' unittest.mock cmath array bisect logging abc enum').split())}\n"
    assert _said(text + "raise AssertionError('imported')") == "imported"


@LINUX
def test_site_packages_are_closed_even_inside_the_library_folder() -> None:
    """Site packages may hold the kit itself, so they are not readable although their parent is."""
    text = """
        import os, sys
        found = [os.path.join(f, n) for f in sys.path if os.path.isdir(f) for n in os.listdir(f)]
        inside = [os.path.join(f, "README.txt") for f in found if f.endswith("-packages")]
        for path in inside:
            try:
                open(path)
            except PermissionError:
                continue
            except FileNotFoundError:
                os.access(path, os.F_OK) and sys.exit(path)
        raise AssertionError("closed")
    """
    assert _said(text) == "closed"


@LINUX
def test_memory_is_limited() -> None:
    """A hand-in that asks for 3 GiB gets a MemoryError instead."""
    fault = _observed("x = bytearray(3 * 2**30)", "limits").fault
    assert fault is not None
    assert fault.type == "MemoryError"


@pytest.mark.parametrize("level", isolation.LEVELS)
def test_answers_are_the_same_at_every_level(level: Level) -> None:
    """Isolation changes no number: the constructor of the given stub is still to do."""
    stub = (ROOT / "exercise" / "transformer_block.py").read_text(encoding="utf-8")
    assert _observed(stub, level).outcome == "todo"
