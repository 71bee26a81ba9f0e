"""The page of a class: everything is on it, nothing breaks out of it, and the same class gives the same page."""

from __future__ import annotations

import json
import re
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from grader.class_page import text_of
from grader.cohort import Key
from grader.entry import Kept, entry, unpacked
from grader.render.class_figures import COLUMNS, bins, columns, tolls
from tests.class_pages import CHECKS, hostile, made
from tests.class_runs import handed_in, ran
from tests.disguising import disguised
from tests.hand_ins import environment, run
from tests.observing import report

pytest.importorskip("matplotlib", reason="matplotlib is not installed")
from grader.render.class_page import render

HERE = "from tests.class_pages import made; from grader.render.class_page import render; print(ascii(render(made(40))))"


@pytest.fixture(scope="module")
def page() -> str:
    """The page of thirty."""
    return render(made(30))


def test_everything_is_on_the_page(page: str) -> None:
    """Scores, every check, every student, misconceptions, casualties, pairs, how it was graded."""
    assert all(line.claim.split(" -> ")[0].split("'")[0] in page for line in CHECKS)
    assert all(f"<bdi>Student {number}</bdi>" in page for number in range(30))
    assert "norm-affine-missing" in page and "Your layer has no scale" in page
    assert "the reference did not answer" in page and "several candidates" in page
    assert "Similarity is not proof" in page and "87 %" in page and "90 of them in nobody else" in page
    assert "lines 3–5" in page and "Lines 30–50 and 70–90" in page
    assert "0" * 64 in page and "the public one" in page and "full (seccomp)" not in page


def test_every_plot_has_its_words(page: str) -> None:
    """Each is a picture with a name, and its numbers stand in a table."""
    plots = re.findall(r'<svg class="plot (\w+)" role="img" aria-label="([^"]+)"', page)
    assert [name for name, _ in plots] == ["scores", "components", "heat"]
    assert "100: " in plots[0][1] and "median" in plots[1][1] and "Most points are lost in" in plots[2][1]


def test_the_page_needs_nothing_else(page: str) -> None:
    """No script, no address, no picture; matplotlib's own colours, fonts and metadata are gone."""
    addresses = set(re.findall(r'https?://[^"\s]+', page))
    assert addresses == set()
    assert "<script" not in page and "<img" not in page and "url(http" not in page
    assert "#0000" not in page and "DejaVu Sans'," not in page and "<metadata" not in page and page.count("<style") == 1


def test_hostile_names_stay_text() -> None:
    """In tables, plots and excerpts; no tag is made, no attribute left."""
    text = render(hostile())
    assert "<script" not in text and "<img" not in text and "</title></style>" not in text
    assert "&lt;script&gt;document.title" in text and "[U+202E]" in text and "\x1b" not in text
    assert text.count("<title>") == 1 and text.count("<main>") == 1


def test_a_large_class_is_drawn_in_groups() -> None:
    """A thousand students make a hundred columns and a page of less than a megabyte."""
    large = made(1_000)
    groups = columns(large)
    assert len(groups) == COLUMNS and sum(len(group.students) for group in groups) == 1_000
    text = render(large)
    assert "everyone in the group passed" in text and len(text) < 1_000_000
    assert text[text.index('<svg class="plot heat"') :].split("</svg>")[0].count("<path") < 30


def test_the_best_are_first_and_the_costliest_check_too() -> None:
    """Ranks go down with scores; losses go down the table."""
    results = made(50)
    scores = [student.score for group in columns(results) for student in group.students]
    assert scores == sorted(scores, reverse=True)
    lost = [toll.lost for toll in tolls(results)]
    assert lost == sorted(lost, reverse=True) and lost[0] > 0
    assert sum(count for _, count in bins(results.students)) == 50


def test_nobody_graded() -> None:
    """Who could not be is still told."""
    text = render(replace(made(3), students=(), checks=()))
    assert "several candidates" in text and "<svg class" not in text


@pytest.mark.parametrize("count", [1, 2])
def test_a_class_of_few(count: int) -> None:
    """Quarters and medians of one or two are no error."""
    assert render(made(count)).count('class="plot') == 3


def test_the_same_class_gives_the_same_bytes() -> None:
    """In other processes too, whatever order their sets have."""
    pages = [run(sys.executable, "-c", HERE, env=environment(PYTHONHASHSEED=seed)).stdout for seed in "12"]
    assert pages[0] == pages[1] and len(pages[0]) > 50_000


def test_from_a_folder_to_a_page(tmp_path: Path) -> None:
    """Graded, judged again, with a copy among them, once with names and once without; a notebook's code counts too."""
    folder = handed_in(tmp_path / "class", ["cleo_matmul_helpers", "ada_ffn_sequential", "eva_welford"])
    text = (folder / "cleo_matmul_helpers.py").read_text(encoding="utf-8")
    cells = [{"cell_type": "code", "source": [disguised(text)]}]
    (folder / "zoe_copy.ipynb").write_text(json.dumps({"cells": cells, "nbformat": 4}), encoding="utf-8")
    (folder / "dora").mkdir()
    (folder / "dora" / "notes.txt").write_text("no code", encoding="utf-8")
    done = ran("class", folder, "--page", tmp_path / "page.html")
    assert done.returncode == 0 and f"The class's page is in {tmp_path / 'page.html'}" in done.stdout, done.stderr
    named = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "<bdi>cleo_matmul_helpers</bdi>, <bdi>zoe_copy</bdi>" in named
    again = ran("regrade", tmp_path / "class-run", "--page", tmp_path / "bare.html", "--anonymous")
    assert again.returncode == 0, again.stderr
    bare = (tmp_path / "bare.html").read_text(encoding="utf-8")
    assert "Student 4" in bare and "The same code throughout" in bare
    assert "dora/notes.txt" in named and "The command's summary names them" in bare.replace("&#x27;", "'")
    assert not any(word in bare for word in ("cleo", "zoe", "ada_", "eva_", "dora", str(tmp_path)))


@pytest.mark.parametrize("text", ["x = 1\n", '"\\"\U0001f600\u202e\r\n' * 20_000, None])
def test_a_hand_ins_text_is_read_without_its_observations(text: str | None) -> None:
    """It is what the store's line begins with; a line that is damaged has none."""
    line = entry(Key("a", "b", 0), report(), Kept(text, None, ()))
    assert text_of(line) == text == unpacked(line).text
    assert text_of(replace(line, packed="?")) is None


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (("--anonymous",), "--anonymous is for --page"),
        (("--page", "no/such/folder/page.html"), "its folder does not exist"),
    ],
)
def test_what_cannot_work_is_refused_before_grading(tmp_path: Path, options: tuple[str, ...], complaint: str) -> None:
    """Wrong usage, and no run is made."""
    folder = handed_in(tmp_path / "class", ["eva_welford"])
    done = ran("class", folder, *options)
    assert done.returncode == 2 and complaint in done.stderr and not (tmp_path / "class-run").exists()
