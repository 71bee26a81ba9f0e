"""Hand-ins and commands that the end-to-end tests make: the stub with some classes filled in, faults put in by name."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
STUB = ROOT / "exercise" / "transformer_block.py"
REFERENCE = ROOT / "solution" / "transformer_block.py"
MADE = (
    ".git",
    ".venv*",
    "__pycache__",
    "*.egg-info",
    ".*_cache",
    ".hypothesis",
    ".benchmarks",
    "build",
    "dist",
    "htmlcov",
)
_IMPORTS = ("from __future__ import", "from engine import", "from nn import")


def class_of(path: Path, name: str) -> str:
    """The source of one class of a file."""
    text = path.read_text(encoding="utf-8")
    (node,) = (n for n in ast.parse(text).body if isinstance(n, ast.ClassDef) and n.name == name)
    return "\n".join(text.splitlines()[node.lineno - 1 : node.end_lineno])


def filled(*components: str) -> str:
    """The stub with these classes taken from the reference."""
    text = STUB.read_text(encoding="utf-8")
    for name in components:
        text = text.replace(class_of(STUB, name), class_of(REFERENCE, name))
    return text


def broken(component: str, line: str) -> str:
    """The reference with one line of code put in front of the body of this component's forward."""
    reference = REFERENCE.read_text(encoding="utf-8")
    whole = class_of(REFERENCE, component)
    changed, count = re.subn(r"(?s)(    def forward\(.*?\"\"\".*?\"\"\"\n)", rf"\1        {line}\n", whole, count=1)
    assert count == 1, f"{component} has no forward with a docstring"
    return reference.replace(whole, changed)


def whole_text(backward: str | None = None) -> str:
    """The exercise's text as one file, filled in: given code and reference, without the imports between them."""
    engine = (ROOT / "exercise" / "engine.py").read_text(encoding="utf-8")
    if backward is not None:
        engine = engine[: engine.index("    def backward(self)")] + backward
    parts = (engine, (ROOT / "exercise" / "nn.py").read_text(encoding="utf-8"), REFERENCE.read_text(encoding="utf-8"))
    lines = [line for part in parts for line in part.splitlines() if not line.startswith(_IMPORTS)]
    return "\n".join(["from __future__ import annotations", *lines, ""])


def copied(folder: Path) -> Path:
    """A copy of the kit in this folder, without what tools have made in it."""
    return Path(shutil.copytree(ROOT, folder, ignore=shutil.ignore_patterns(*MADE)))


def environment(**more: str) -> dict[str, str]:
    """This environment with the kit importable from every folder, and with ``more``."""
    return {**os.environ, "PYTHONPATH": str(ROOT), **more}


def run(*command: str | Path, cwd: Path = ROOT, env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    """What a command printed, as UTF-8, and its exit status."""
    return subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env=env or environment(),
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


def check(*arguments: str | Path, cwd: Path = ROOT, **more: str) -> subprocess.CompletedProcess[str]:
    """`python -m grader check ...` as a process of its own."""
    return run(sys.executable, "-m", "grader", "check", *arguments, cwd=cwd, env=environment(**more))
