"""The page of a class in a real browser: it asks for nothing, fits every window, and can be read by everyone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from grader.class_results import ClassResults
from tests import test_browser
from tests.class_pages import hostile, made
from tests.hostile import TRICKS

pytest.importorskip("matplotlib", reason="matplotlib is not installed")
from grader.render.class_page import render

browser = test_browser.browser
pytestmark = test_browser.pytestmark
CLASSES: dict[str, Callable[[], ClassResults]] = {"thirty": lambda: made(30), "many": lambda: made(300), "bad": hostile}


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A page of each kind, drawn once."""
    folder = tmp_path_factory.mktemp("classes")
    for name, results in CLASSES.items():
        (folder / f"{name}.html").write_text(render(results()), encoding="utf-8")
    return {name: folder / f"{name}.html" for name in CLASSES}


@pytest.mark.parametrize("name", CLASSES)
def test_nothing_is_loaded_and_nothing_complained_of(browser: Any, pages: dict[str, Path], name: str) -> None:
    """No request, no script, no error; the three plots are drawn."""
    visit = browser.open(pages[name])
    assert visit.quiet() and visit.page.evaluate("document.scripts.length + document.images.length") == 0
    assert visit.page.locator("svg.plot:visible").count() == 3


def test_hostile_names_are_words(browser: Any, pages: dict[str, Path]) -> None:
    """They can be read; the title is ours."""
    page = browser.open(pages["bad"]).page
    page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
    assert TRICKS[0] in page.locator("body").inner_text() and page.title().endswith("12 hand-ins")


@pytest.mark.parametrize("width", [320, 1000])
def test_it_fits(browser: Any, pages: dict[str, Path], width: int) -> None:
    """Never wider than the window, with everything unfolded."""
    for path in pages.values():
        page = browser.open(path, viewport={"width": width, "height": 800}).page
        page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
        assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", ["thirty", "bad"])
def test_nobody_is_kept_out(browser: Any, pages: dict[str, Path], scheme: str, name: str) -> None:
    """axe-core finds nothing, contrast and all, in every corner of the page."""
    page = browser.open(pages[name], color_scheme=scheme, bypass_csp=True).page
    page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
    found = test_browser.axe.Axe().run(page)
    assert found.violations_count == 0, found.generate_report()


def test_plots_follow_the_scheme(browser: Any, pages: dict[str, Path]) -> None:
    """What is written in a plot is dark on light and light on dark, without a switch."""
    shade = "getComputedStyle(document.querySelector('svg.components text')).fill"
    shades = [browser.open(pages["thirty"], color_scheme=scheme).page.evaluate(shade) for scheme in ("light", "dark")]
    assert len(set(shades)) == 2


def test_a_reader_finds_landmarks_plots_and_tables(browser: Any, pages: dict[str, Path]) -> None:
    """By role and name, as a screen reader does."""
    page = browser.open(pages["thirty"]).page
    assert [page.get_by_role(role).count() for role in ("banner", "main", "contentinfo", "navigation")] == [1, 1, 1, 1]
    assert page.get_by_role("heading", level=1).count() == 1
    assert page.get_by_role("img").count() == 3
    page.get_by_role("navigation").get_by_role("link", name="Everyone").click()
    test_browser.playwright.expect(page.get_by_role("heading", name="Everyone")).to_be_in_viewport()


def test_paper_shows_everyone(browser: Any, pages: dict[str, Path]) -> None:
    """What is folded on the screen is unfolded in print, but for quoted code."""
    page = browser.open(pages["thirty"]).page
    page.emulate_media(media="print")
    assert page.get_by_role("rowheader", name="Student 29").bounding_box()["height"] > 0
    assert page.locator("pre").first.bounding_box() is None
    assert page.pdf(format="A4").startswith(b"%PDF")
