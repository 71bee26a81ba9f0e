"""The pages of the docs: their commands run as printed, their links lead somewhere, the README leads to each page."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.hand_ins import ROOT, copied, environment

PAGES = sorted((ROOT / ".github" / "docs").glob("*.md"))
TEXTS = [ROOT / "README.md", ROOT / "exercise" / "README.md", ROOT / "solution" / "README.md", *PAGES]
# These take minutes; test_recording and test_audit run them, or parts of them.
LONG = ("python -m grader.recording", "make audit", "make test")
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")


def commands(page: Path) -> list[str]:
    """Each line of the page's bash blocks, in order."""
    blocks = re.findall(r"^```bash\n(.*?)^```$", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    return [line for block in blocks for line in block.splitlines() if line and not line.startswith(("#", *LONG))]


RUN = [page for page in PAGES if commands(page)]


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the kit with the folder of a small class in it."""
    kit = copied(tmp_path / "kit")
    for student, source in (("ada", "right/ada_fused_blocked.py"), ("bo", "wrong/bo_mask_strict.py")):
        (kit / "submitted" / student).mkdir(parents=True)
        shutil.copy(kit / "tests" / "submissions" / source, kit / "submitted" / student / "transformer_block.py")
    return kit


def test_pages_show_commands() -> None:
    """There are commands to run, on the students' and the instructors' page at least."""
    assert {"students.md", "instructors.md"} <= {page.name for page in RUN}


@pytest.mark.timeout(240)  # a page's worth of commands
@pytest.mark.parametrize("page", RUN, ids=lambda page: page.stem)
def test_commands_of_a_page_work(copy: Path, page: Path) -> None:
    """Run one after the other in a copy of the kit, each grades: full marks or lost ones, nothing else."""
    path = f"{Path(sys.executable).parent}:{environment()['PATH']}"
    for command in commands(page):
        done = subprocess.run(
            ["/bin/sh", "-c", command],
            cwd=copy,
            env=environment(PATH=path, PYTHONPATH=str(copy)),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            check=False,
        )
        assert done.returncode in (0, 1) and "Traceback" not in done.stdout, f"{command}\n{done.stdout}"


@pytest.mark.parametrize("text", TEXTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(text: Path) -> None:
    """Each relative link is to a file of the kit, each one within a page to a heading of it."""
    written = text.read_text(encoding="utf-8")
    headings = {re.sub(r"[^\w\- ]", "", h.lower()).replace(" ", "-") for h in re.findall(r"^#+ (.+)$", written, re.M)}
    dead = []
    for link in LINK.findall(written):
        inside, path = link.startswith("#"), link.split("#")[0]
        if link[1:] not in headings if inside else not path.startswith("http") and not (text.parent / path).exists():
            dead.append(link)
    assert dead == []


def test_the_readme_leads_to_every_page() -> None:
    """No page of the docs is to be found by chance only."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert [page.name for page in PAGES if f".github/docs/{page.name}" not in readme] == []
