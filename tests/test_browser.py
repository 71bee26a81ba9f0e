"""The page in a real browser: it draws, asks for nothing, runs nothing, and can be read by everyone."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from grader.records import Notice, Report
from grader.render.html import render
from grader.rubric import RUBRIC
from tests.hand_ins import broken, check
from tests.hostile import TRICKS, hostile, whole
from tests.observing import report, result
from tests.test_render_html import HEAT, PAIRS

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-playwright-python is not installed")
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
pytestmark = [
    pytest.mark.browser,
    pytest.mark.timeout(180),
    pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium on the path"),
]


@dataclass
class Visit:
    """An open page, and what it said, asked for and tried."""

    page: Any
    said: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    tried: list[str] = field(default_factory=list)

    def quiet(self) -> bool:
        """Whether nothing but the page itself was loaded, and nothing was complained of."""
        return (len(self.asked), self.said, self.tried) == (1, [], [])


class Browser:
    """A headless Chromium that opens reports."""

    def __init__(self, chromium: Any, folder: Path) -> None:
        self.chromium, self.folder = chromium, folder

    def open(self, page: Report | Path, **how: Any) -> Visit:
        """Show a report; ``how`` is the scheme of colours, the size of the window."""
        path = page if isinstance(page, Path) else self.folder / "report.html"
        if isinstance(page, Report):
            path.write_text(render(page), encoding="utf-8")
        visit = Visit(self.chromium.new_context(**how).new_page())
        visit.page.on("console", lambda message: visit.said.append(message.text))
        visit.page.on("pageerror", lambda error: visit.said.append(str(error)))
        visit.page.on("request", lambda request: visit.asked.append(request.url))
        for event in ("dialog", "popup", "download", "worker", "frameattached"):
            visit.page.on(event, lambda _, event=event: visit.tried.append(event))
        visit.page.goto(path.as_uri())
        visit.page.wait_for_load_state("networkidle")
        return visit


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """One Chromium for all tests of this file."""
    with playwright.sync_playwright() as running:
        chromium = running.chromium.launch(executable_path=CHROMIUM)
        yield Browser(chromium, tmp_path_factory.mktemp("pages"))
        chromium.close()


def full() -> Report:
    """Failed lines, pictures of both kinds, a notice."""
    pictures = (HEAT, replace(HEAT, expected=((1.0, 0.0), (2.0, 3.0))), PAIRS, replace(PAIRS, wrong=((0, 0),)))
    return replace(whole(), pictures=pictures, notices=(Notice(None, "The code printed 12 bytes."),))


def test_the_page_is_drawn(browser: Browser) -> None:
    """Every line of the rubric is seen, nothing is loaded and nothing complained of."""
    visit = browser.open(full())
    assert visit.quiet()
    assert visit.page.locator("li.check:visible").count() == len(RUBRIC)
    assert visit.page.locator("svg.ring").bounding_box()["width"] == 120
    assert visit.page.locator(".cell:visible").count() == 4 + 2 * 4


def test_a_reader_finds_landmarks_headings_and_tables(browser: Browser) -> None:
    """By role and name, as a screen reader does."""
    page = browser.open(full()).page
    assert [page.get_by_role(role).count() for role in ("banner", "main", "contentinfo")] == [1, 1, 1]
    assert page.get_by_role("heading", level=1).count() == 1
    assert page.get_by_role("img", name="0 of 100 points").is_visible()
    assert page.get_by_role("region", name="Score by component").get_by_role("columnheader").count() == 3
    assert page.get_by_role("rowheader", name="LayerNorm").is_visible()


def test_hostile_text_stays_text(browser: Browser) -> None:
    """No script runs, no picture is asked for, the title is ours, and the words are there to be read."""
    visit = browser.open(hostile())
    assert visit.quiet()
    assert visit.page.evaluate("document.scripts.length + document.images.length") == 0
    assert visit.page.title().startswith('12/108 <script>document.title = "owned"<_script>')
    body = visit.page.locator("body").inner_text()
    assert all(trick in body for trick in TRICKS[:2]) and "[U+202E]gnp.exe" in body and "[U+001B]" in body


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [320, 380, 1000])
def test_nothing_sticks_out(browser: Browser, scheme: str, width: int) -> None:
    """The page is never wider than the window, not with hostile words and everything unfolded."""
    for seen in (full(), hostile()):
        page = browser.open(seen, color_scheme=scheme, viewport={"width": width, "height": 800}).page
        page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
        assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("seen", [full(), hostile(), whole("unloadable")], ids=["full", "hostile", "unloadable"])
def test_everyone_can_use_it(browser: Browser, seen: Report, scheme: str) -> None:
    """axe-core finds nothing, contrast and all, in every state and every corner of the page."""
    page = browser.open(seen, color_scheme=scheme, bypass_csp=True).page
    page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
    found = axe.Axe().run(page)
    assert found.violations_count == 0, found.generate_report()


def test_the_page_is_dark_where_people_want_it_dark(browser: Browser) -> None:
    """By the system's setting, without a switch."""
    schemes = ("light", "dark")
    shades = [
        browser.open(full(), color_scheme=s).page.evaluate("getComputedStyle(document.body).backgroundColor")
        for s in schemes
    ]
    assert shades == ["rgb(246, 247, 249)", "rgb(20, 22, 26)"]


def test_hints_open_by_keyboard(browser: Browser) -> None:
    """Closed at first: a student may want to think."""
    page = browser.open(report(result(status="failed"))).page
    hint = page.get_by_text("Look at it again.")
    assert not hint.is_visible()
    page.get_by_text("Hint", exact=True).focus()
    page.keyboard.press("Enter")
    assert hint.is_visible()


def test_the_link_to_the_next_step_works(browser: Browser) -> None:
    """It ends at the line of the rubric."""
    page = browser.open(full(), viewport={"width": 380, "height": 500}).page
    page.get_by_role("banner").get_by_role("link").click()
    playwright.expect(page.locator("li.check:target")).to_be_in_viewport()


def test_print_unfolds_hints(browser: Browser) -> None:
    """Paper cannot be clicked."""
    page = browser.open(report(result(status="failed"))).page
    page.emulate_media(media="print")
    assert page.get_by_text("Look at it again.").bounding_box()["height"] > 0
    assert page.pdf(format="A4").startswith(b"%PDF")


def test_the_policy_holds(browser: Browser) -> None:
    """Even if a tag got through, nothing would be loaded and nothing run."""
    visit = browser.open(report(result()))
    visit.page.evaluate(
        """() => { const box = document.createElement('div'); document.body.append(box);
        box.innerHTML = '<img src="http://localhost:9/x.png" onerror="document.title = 1">';
        const script = document.createElement('script'); script.textContent = 'document.title = 2';
        box.append(script); }"""
    )
    visit.page.wait_for_timeout(200)
    assert visit.page.title().endswith("transformer_block.py")
    assert len(visit.said) >= 2 and all("Content Security Policy" in text for text in visit.said)


def test_a_hostile_hand_in_from_end_to_end(browser: Browser, tmp_path: Path) -> None:
    """Graded by the command: its exception is on the page, as words."""
    file = tmp_path / "transformer_block.py"
    file.write_text(broken("LayerNorm", f"raise ValueError({TRICKS[0] + TRICKS[1]!r})"), encoding="utf-8")
    done = check(file, "--component", "LayerNorm", "--format", "html", "--output", tmp_path / "report.html")
    assert done.returncode == 1, done.stderr
    visit = browser.open(tmp_path / "report.html")
    assert visit.quiet() and visit.page.evaluate("document.scripts.length + document.images.length") == 0
    assert TRICKS[0] in visit.page.locator(".message").first.inner_text()
