"""Pull requests on real repositories: a course's base branch, a student's clone, and the checkout that a runner has."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from grader.handout.allowed import files
from grader.handout.archive import write_below
from tests.hand_ins import ROOT

FILE = "exercise/transformer_block.py"
WHO = ("-c", "user.name=someone", "-c", "user.email=someone@example.org", "-c", "commit.gpgsign=false")
DRIVERS = ("filter.evil.smudge", "filter.evil.clean", "diff.evil.command", "diff.evil.textconv", "core.fsmonitor")
HOOKS = ("post-checkout", "post-index-change", "pre-auto-gc", "reference-transaction")


def git(folder: Path, *arguments: str, stdin: str | None = None) -> str:
    """What git printed; it must succeed. Nobody's settings count."""
    home = {"PATH": os.environ["PATH"], "HOME": str(folder), "GIT_CONFIG_NOSYSTEM": "1"}
    command = ["git", *WHO, *arguments]
    done = subprocess.run(
        command, cwd=folder, env=home, input=stdin, capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, f"{command}: {done.stderr}"
    return done.stdout.strip()


@dataclass(frozen=True)
class Course:
    """``runner`` has the base branch checked out; ``mark`` is a file that exists once anything of a head has run."""

    student: Path
    runner: Path
    mark: Path

    @property
    def armed(self) -> Path:
        """Settings of git that are there while `grader pr` runs: whatever git runs for a path then leaves the mark."""
        return self.runner.parent / "armed"

    @property
    def payload(self) -> str:
        """Python that leaves the mark."""
        return f"open({str(self.mark)!r}, 'w').close()\n"

    def head(self, change: Callable[[Path], object], start: str = "main", add: bool = True) -> str:
        """The id of a commit with this change of the student's clone, fetched into the runner's checkout."""
        git(self.student, "checkout", "--quiet", "--force", "-B", "work", start)
        git(self.student, "clean", "-ffdxq")
        change(self.student)
        if add:
            git(self.student, "add", "--all", "--force")
        git(self.student, "commit", "--quiet", "--allow-empty", "--message", "my work")
        return self.fetched("work")

    def fetched(self, branch: str) -> str:
        """The id of a branch of the student's, whose objects the runner's checkout then has."""
        commit = git(self.student, "rev-parse", branch)
        git(self.runner, "fetch", "--quiet", "--no-tags", str(self.student), commit)
        return commit

    def grade(
        self, *options: str | Path, base: str = "main", python: str = sys.executable, **more: str
    ) -> subprocess.CompletedProcess[str]:
        """`grader pr` in the runner's checkout, with the grader that lies there."""
        home = {"PATH": os.environ["PATH"], "HOME": str(self.runner), **more}
        command = [python, "-m", "grader", "pr", "--base", base, *map(str, options)]
        self.arm()
        try:
            return self._run(command, home)
        finally:
            self.armed.unlink()

    def arm(self) -> None:
        """From here on git in the runner's checkout leaves the mark when it runs a hook, filter or driver."""
        for key in DRIVERS:
            git(self.runner, "config", "--file", str(self.armed), key, f"touch {self.mark}; cat #")

    def _run(self, command: list[str], home: dict[str, str]) -> subprocess.CompletedProcess[str]:
        return subprocess.run(command, cwd=self.runner, env=home, capture_output=True, encoding="utf-8", check=False)


def course(folder: Path) -> Course:
    """A course whose base branch has the exercise and what students get of the grader: no solution."""
    base = folder / "base"
    shutil.copytree(ROOT / "exercise", base / "exercise", ignore=shutil.ignore_patterns("__pycache__"))
    write_below(base, files("student"))
    (base / "Makefile").write_text("check:\n", encoding="utf-8")
    (base / ".gitignore").write_text("__pycache__/\n", encoding="utf-8")
    git(base, "init", "--quiet", "--initial-branch", "main")
    git(base, "add", "--all", "--force")
    git(base, "commit", "--quiet", "--message", "course")
    made = Course(folder / "student", folder / "runner", folder / "mark")
    for clone in (made.student, made.runner):
        git(folder, "clone", "--quiet", str(base), str(clone))
    git(made.runner, "config", "include.path", str(made.armed))
    for name in HOOKS:
        hook = made.runner / ".git" / "hooks" / name
        hook.write_text(f"#!/bin/sh\n[ ! -e {made.armed} ] || touch {made.mark}\n", encoding="utf-8")
        hook.chmod(0o755)
    return made


def put(path: str, text: str) -> Callable[[Path], object]:
    """A change: this text at this path."""

    def change(folder: Path) -> None:
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.unlink(missing_ok=True)
        target.write_text(text, encoding="utf-8")

    return change


def all_of(*changes: Callable[[Path], object]) -> Callable[[Path], object]:
    """Several changes in one."""

    def change(folder: Path) -> None:
        for one in changes:
            one(folder)

    return change
