"""The report as a page, read with html.parser: its structure, and that text of a hand-in stays text."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

import pytest

from grader.hints import steps
from grader.records import Diagnosis, Notice, Picture, Status
from grader.render import html
from grader.render.html import POLICY, render
from grader.rubric import RUBRIC
from tests.hostile import STATUSES, hostile, whole
from tests.observing import report, result

CSS = Path(html.__file__).with_name("page.css")
VOID = {"meta", "link", "br", "rect", "path", "circle"}
HEAT = Picture("heat", "LayerNorm", "Who moved whom", "How far.", ((1.0, 0.25), (2.0, 3.0)), ("out 0", "out 1"),
               ("in 0", "in 1"), wrong=((0, 1),))  # fmt: skip
PAIRS = Picture("pairs", "LayerNorm", "Slopes", "Two bars.", ((1.0, -2.0),), ("inputs",), ("backward()", "measured"))


class Page(HTMLParser):
    """Tags with their attributes, and the text, of a page; tags that do not close are an error."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.text = ""
        self.feed(text)
        self.close()
        assert self.open == [], f"left open: {self.open}"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note a tag."""
        assert len({name for name, _ in attrs}) == len(attrs), f"an attribute twice in {tag}"
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note a tag without content, as SVG has them."""
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        """Close the innermost tag, and no other."""
        assert self.open and self.open.pop() == tag, f"</{tag}> closes something else"

    def handle_data(self, data: str) -> None:
        """Collect what is not style."""
        if "style" not in self.open:
            self.text += data

    def all(self, tag: str, **wanted: str) -> list[dict[str, str | None]]:
        """The attributes of every tag of this name that has these."""
        return [
            attributes
            for name, attributes in self.tags
            if name == tag and all(attributes.get(key.rstrip("_")) == value for key, value in wanted.items())
        ]


def test_the_page_stands_alone() -> None:
    """No script, no form, and not one address outside of the page."""
    page = Page(render(hostile()))
    names = {name for name, _ in page.tags}
    assert names & {"script", "iframe", "object", "embed", "form", "input", "img", "base", "audio", "video"} == set()
    links = [v for _, a in page.tags for key, v in a.items() if key in ("href", "src", "action", "data", "xlink:href")]
    assert [link for link in links if not (link or "").startswith("#") and link != "data:,"] == []
    assert [key for _, attributes in page.tags for key in attributes if key.startswith("on")] == []


def test_the_style_asks_for_nothing() -> None:
    """No font and no picture from elsewhere."""
    style = re.search(r"<style>(.*?)</style>", render(whole()), re.DOTALL)
    assert style and re.findall(r"url\(|@import|@font-face|expression", style[1]) == []


def test_the_policy_forbids_all_else() -> None:
    """The first thing in the head after the encoding."""
    (policy,) = Page(render(whole())).all("meta", **{"http-equiv": "Content-Security-Policy"})
    assert policy["content"] == POLICY
    assert POLICY.startswith("default-src 'none'; style-src 'unsafe-inline'; img-src data:")


def test_landmarks_language_and_title() -> None:
    """What a screen reader moves by."""
    page = Page(render(whole()))
    assert [len(page.all(tag)) for tag in ("header", "main", "footer", "h1")] == [1, 1, 1, 1]
    assert page.all("html", lang="en") and "0/100 transformer_block.py" in page.text
    headings = [int(name[1]) for name, _ in page.tags if re.fullmatch(r"h\d", name)]
    assert all(b - a <= 1 for a, b in pairwise(headings))


def test_ids_are_unique_and_links_have_targets() -> None:
    """Every link on the page leads somewhere on it."""
    page = Page(render(replace(hostile(), pictures=(HEAT, PAIRS))))
    ids = [attributes["id"] for _, attributes in page.tags if "id" in attributes]
    assert len(ids) == len(set(ids))
    named = {a[key] for _, a in page.tags for key in ("aria-labelledby",) if key in a}
    assert {f"#{i}" for i in ids} >= {a["href"] for a in page.all("a")} and set(ids) >= named


def test_tables_have_headers() -> None:
    """Each column and each row says what it is."""
    page = Page(render(report(result(), pictures=(HEAT, PAIRS))))
    assert {header.get("scope") for header in page.all("th")} == {"row", "col"}
    assert len(page.all("table")) == 3


@pytest.mark.parametrize("status", STATUSES)
def test_every_check_is_there(status: Status) -> None:
    """With its state in words, its points, its claim, and below it message and hints unless it passed."""
    page = Page(render(whole(status)))
    kind = status if status in ("passed", "failed", "todo", "blocked") else "raised"
    assert len(page.all("li", class_=f"check {kind}")) == len(RUBRIC)
    seen = whole(status).results
    hints = [hint for r in seen for hint in steps(r.id, r.hint) if status != "passed"]
    folded = 4 if status in ("passed", "unloadable") else 0
    assert len(page.all("summary")) == len(hints) + folded and all(hint in page.text for hint in hints)
    told = [r for r in seen if status not in ("passed", "todo") or (status == "todo" and r.id.endswith(".shape"))]
    assert all(r.claim in page.text for r in seen) and all(r.message in page.text for r in told)


def test_states_beyond_failed_look_like_faults() -> None:
    """Died, timeout and the like have the colour and the mark of a fault, and their own word."""
    page = Page(render(report(result(status="died"))))
    assert page.all("li", class_="check raised") and "died" in page.text


def test_one_message_is_told_once() -> None:
    """In each component, and only at the top when it is the whole file's."""
    for status, count in (("timeout", 4), ("unloadable", 1)):
        page = Page(render(whole(status, message="It did not end.")))
        assert page.text.count("It did not end.") == count


def test_a_file_that_cannot_be_loaded_has_that_first() -> None:
    """The reason above the scores, and its checks folded."""
    text = Page(render(whole("unloadable", message="SyntaxError."))).text
    assert text.index("Make the file load") < text.index("SyntaxError.") < text.index("Score by component")
    assert text.count("checks wait for a file that loads") == 4


def test_hints_come_in_steps() -> None:
    """Each is folded within the one before it."""
    page = render(report(result("LayerNorm.eps", "failed", hint="First.")))
    first, *others = re.findall(r"<summary>(?:Hint|Another hint)</summary><p>([^<]+)</p>", page)
    assert (first, len(others)) == ("First.", 2) and page.count("</details>\n</details>\n</details>") == 1


def test_what_is_to_do_is_told_once() -> None:
    """A stub's first line of each component says what to write; the claims of the others say the rest."""
    text = Page(render(whole("todo"))).text
    assert text.count(" says why.") == 4


def test_score_by_component() -> None:
    """Points, checks, and all together."""
    text = Page(render(report(result(), result("LayerNorm.eps", "failed", 3), result("FeedForward.shape")))).text
    assert re.search(r"LayerNorm\s*2 / 5\s*1 of 2", text) and re.search(r"Together\s*4 / 7", text)


def test_full_marks_say_so() -> None:
    """The passed lines of a whole component can be unfolded."""
    text = Page(render(whole("passed"))).text
    assert "Full marks: every check passed." in text and text.count("checks passed") == 4


def test_the_next_step_is_linked() -> None:
    """To the line of the rubric that matters most."""
    page = Page(render(report(result(status="todo"), result("LayerNorm.eps", "failed"))))
    assert page.all("a")[0]["href"] == "#LayerNorm.eps" and "Next: LayerNorm.eps, a vector in" in page.text


def test_causes_notices_and_environment_are_told() -> None:
    """Everything that the report holds is on the page."""
    told = (Diagnosis("LayerNorm", "m", "It seems odd: `x + 1`.", "Look."),)
    seen = report(result(status="failed"), diagnoses=told, notices=(Notice("LayerNorm", "Tuples."),))
    page = Page(render(seen))
    assert "It seems odd: x + 1." in page.text and "Look." in page.text and "LayerNorm: Tuples." in page.text
    assert "grader 0.1.0, Python 3.12.0, Linux" in page.text and "process" in page.text and "0" * 64 in page.text


def test_hostile_text_is_text() -> None:
    """Tags of a hand-in are on the page as words, and what is invisible in them is spelled out."""
    text = render(hostile())
    text.encode("utf-8")
    page = Page(text)
    assert '<script>document.title = "owned"</script>' in page.text and '"><img src=x onerror=alert(1)>' in page.text
    assert "[U+202E]gnp.exe" in page.text and "[U+001B][2J" in page.text and "{main}" in page.text
    assert re.findall("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\ud800-\udfff]", text) == []


def test_a_heat_map_has_a_cell_per_number_and_words() -> None:
    """What is not as expected is said in the label, and stands in a table."""
    page = Page(render(report(result(), pictures=(HEAT,))))
    (svg,) = page.all("svg", role="img", viewbox="0 0 116 116")
    assert svg["aria-label"] == "Who moved whom, yours. Not as expected: out 0, in 1: 0.25."
    assert len(page.all("rect", class_="cell")) == 3 and len(page.all("rect", class_="cell odd")) == 1
    assert "not as expected" in page.text


def test_what_is_expected_stands_beside() -> None:
    """A second map, and numbers in brackets."""
    expected = replace(HEAT, expected=((1.0, 0.0), (2.0, 3.0)))
    page = Page(render(report(result(), pictures=(expected,))))
    labels = [svg["aria-label"] for svg in page.all("svg", role="img")]
    assert labels[1:] == [
        "Who moved whom, yours. Not as expected: out 0, in 1: 0.25.",
        "Who moved whom, expected. All as expected.",
    ]
    assert "0.25 (0)" in page.text


def test_bars_have_their_numbers_beside_them() -> None:
    """The longer of two bars fills its half of the picture."""
    page = Page(render(report(result(), pictures=(PAIRS,))))
    bars = [(bar["x"], bar["width"]) for k in (0, 1) for bar in page.all("rect", class_=f"bar{k}")]
    assert bars == [("0.0", "50.0"), ("-100.0", "100.0")]
    assert "agrees" in page.text and "-2" in page.text


@pytest.mark.parametrize("value", [0.0, 1e-300, 1e300, -1e300, float("inf"), float("nan")])
def test_odd_numbers_can_be_drawn(value: float) -> None:
    """Whatever a hand-in computes, the page is whole."""
    pictures = (replace(HEAT, rows=((value, value), (1.0, value)), expected=((value,) * 2,) * 2),
                replace(PAIRS, rows=((value, 1.0), (value, value)), labels=("a", "b")))  # fmt: skip
    drawn = render(report(result(), pictures=pictures))
    Page(drawn)
    assert not re.findall(r'="[^"]*\b(?:nan|inf)\b', re.sub(r'aria-label="[^"]*"', "", drawn))


def test_a_long_message_is_cut() -> None:
    """A page is read by people."""
    assert len(render(report(result(status="raised", message="x" * 10**6)))) < 60_000


def _light(colour: tuple[float, ...]) -> float:
    """Relative luminance (WCAG 2) of red, green and blue from 0 to 255."""
    r, g, b = (v / 3294.6 if v <= 10 else ((v / 255 + 0.055) / 1.055) ** 2.4 for v in colour)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize(("fill", "share"), [("fill", 0.75), ("bad", 0.4)], ids=["as expected", "odd"])
def test_numbers_in_pictures_can_be_read(scheme: int, fill: str, share: float) -> None:
    """A contrast of 4.5 on the strongest colour of a cell; axe-core does not look into pictures."""
    style = CSS.read_text(encoding="utf-8").split("@media")[scheme]
    colours = {name: re.search(rf"--{name}: #(\w+);", style) for name in (fill, "card", "ink")}
    digits = {name: found[1] if len(found[1]) == 6 else found[1][0] * 6 for name, found in colours.items() if found}
    over, card, ink = (tuple(bytes.fromhex(digits[name])) for name in (fill, "card", "ink"))
    cell = _light(tuple(share * a + (1 - share) * b for a, b in zip(over, card)))
    high, low = sorted((_light(ink), cell), reverse=True)
    assert (high + 0.05) / (low + 0.05) >= 4.5
