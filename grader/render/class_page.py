"""A class's results as one HTML page that needs nothing else: no script, no network, no font, no picture file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from statistics import mean, median

from grader.class_results import ClassResults, Shared
from grader.records import COMPONENTS, Component
from grader.render import class_heat, class_plots, words
from grader.render.class_figures import bins, percent, quarters, shares
from grader.render.class_likeness import likeness
from grader.render.class_tables import FIRST, checks, everyone, folded, names
from grader.render.html import PAGE, POLICY, style


def render(results: ClassResults) -> str:
    """The whole page. Names and other people's text are escaped, and what is invisible in them is spelled out."""
    body = [_scores(results), checks(results), _heat(results)] if results.students else []
    main = [*body, _misconceptions(results), likeness(results), _look(results)]
    return PAGE.format(
        policy=POLICY,
        title=f"{words.line(results.title)}: {len(results.students)} hand-ins",
        style=style("page", "class"),
        header=_header(results),
        main="".join([*main, everyone(results) if results.students else ""]),
        footer=_footer(results),
    )


def section(name: str, title: str, content: str) -> str:
    """A part of the page under its heading."""
    return f'<section aria-labelledby="{name}"><h2 id="{name}">{title}</h2>\n{content}</section>\n'


def _header(results: ClassResults) -> str:
    tiles = "".join(f"<div><dt>{name}</dt><dd>{value}</dd></div>\n" for name, value in _tiles(results))
    links = {"scores": "Scores", "checks": "Checks", "heat": "Who lost what", "misconceptions": "Misconceptions"}
    links = links if results.students else {}
    links |= {"likeness": "Similar hand-ins", "look": "Needs a look"}
    links |= {"everyone": "Everyone"} if results.students else {}
    found = "".join(f'<a href="#{name}">{text}</a>\n' for name, text in links.items())
    return (
        f'<header class="class">\n<h1>Multi-head attention and a transformer block</h1>\n'
        f"<p><bdi>{words.line(results.title)}</bdi></p>\n<dl>{tiles}</dl>\n"
        f'<nav aria-label="On this page">{found}</nav>\n</header>\n'
    )


def _tiles(results: ClassResults) -> Iterable[tuple[str, str]]:
    yield "hand-ins graded", f"{len(results.students):,}"
    if results.students:
        scores, most = [s.score for s in results.students], max(s.max_score for s in results.students)
        yield f"mean of {most}", f"{mean(scores):.1f}"
        yield "median", f"{median(scores):g}"
        yield "full marks", f"{sum(s.score == s.max_score for s in results.students):,}"
        if results.pass_mark is not None:
            yield f"at least {results.pass_mark}", f"{sum(score >= results.pass_mark for score in scores):,}"
    lost = sum(len(one.names) for one in (*results.casualties, *results.troubles))
    if lost:
        yield "not graded", f'<a href="#look">{lost:,}</a>'


def _scores(results: ClassResults) -> str:
    plots = _figure("How many have which score", class_plots.scores(results)) + _figure(
        "Points by component: a bubble is as large as many have that score", class_plots.components(results)
    )
    counts = _table(
        "Scores in numbers", ("Score", "Students"), ((label, str(count)) for label, count in bins(results.students))
    )
    heads = ("Component", "Mean", "Lower quarter", "Median", "Upper quarter", "All", "None")
    spread = _table("Components in numbers", heads, (row for name in COMPONENTS if (row := _spread(results, name))))
    numbers = f'<details><summary>The numbers</summary>\n<div class="side">\n{counts}{spread}</div></details>\n'
    return section("scores", "Scores", f'<div class="side plots">\n{plots}</div>\n{numbers}')


def _spread(results: ClassResults, name: Component) -> tuple[str, ...]:
    found = shares(results, name)
    if not found:
        return ()
    edges = (str(sum(share == edge for share in found)) for edge in (1, 0))
    return (name, *map(percent, (mean(found), *quarters(found))), *edges)


def _table(name: str, heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table of plain words that may be wider than the window."""
    head = "".join(f'<th scope="col">{text}</th>' for text in heads)
    body = "".join(
        f'<tr><th scope="row">{first}</th>{"".join(f"<td>{text}</td>" for text in rest)}</tr>\n'
        for first, *rest in rows
    )
    table = f"<table><thead><tr>{head}</tr></thead>\n<tbody>{body}</tbody></table>"
    return f'<div class="wide" tabindex="0" role="region" aria-label="{name}">{table}</div>\n'


def _figure(caption: str, plot: str) -> str:
    return f"<figure><figcaption>{escape(caption)}</figcaption>\n{plot}</figure>\n"


def _heat(results: ClassResults) -> str:
    key = "".join(
        f'<li><span class="swatch {name}" style="--strength: {strength:g}"></span>{text}</li>'
        for name, text, strength in class_heat.key(results)
    )
    plot = class_heat.heat_map(results)
    return section(
        "heat",
        "Who lost what",
        "<p>A row is a check; in each component the one that takes most points is at the bottom. Columns go from the "
        'lowest score at the left to the best; <a href="#everyone">the table of everyone</a> has it in words.</p>\n'
        f'<ul class="key">{key}</ul>\n'
        f'<div class="wide" tabindex="0" role="region" aria-label="Heat map">{plot}</div>\n',
    )


def _misconceptions(results: ClassResults) -> str:
    told = _counted(results.misconceptions) or "<p>No misconception was recognised.</p>\n"
    return section("misconceptions", "Most common misconceptions", told)


def _look(results: ClassResults) -> str:
    lists = {
        "Not graded, by a fault of the grader: no score, not a zero": results.casualties,
        "Not graded, since there was not one file to grade": results.troubles,
        "Graded, with a remark that costs no points": results.notices,
    }
    told = "".join(f"<h3>{title}</h3>\n{_counted(shared)}" for title, shared in lists.items() if shared)
    return section("look", "Needs a look", told or "<p>Nothing: everyone was graded, and nothing was remarked.</p>\n")


def _counted(shared: Sequence[Shared]) -> str:
    """How many it is said of, what, and who they are; the rarer ones are folded away."""
    items = [_item(one) for one in shared]
    return folded("ul", items, FIRST, f"{len(items) - FIRST:,} more") if items else ""


def _item(one: Shared) -> str:
    title = f"<p><strong><code>{words.line(one.title)}</code></strong></p>\n" if one.title else ""
    told = f"{title}<p>{words.prose(one.text)}</p>\n{names(one.names)}"
    return f'<li><span class="count">{len(one.names):,}</span><div>{told}</div></li>\n'


def _footer(results: ClassResults) -> str:
    run = results.run
    isolation = "; ".join(f"{name} ({count:,})" for name, count in run.isolation) or "nothing was run"
    rate = f", {run.graded / run.seconds:.1f} a second" if run.graded and run.seconds > 0 else ""
    facts = {
        "Graded by": f"grader {run.grader}",
        "Kit": run.kit,
        "Seed": run.seeds,
        "Isolation": isolation,
        "Time": f"{run.seconds:.1f} s for {run.graded:,} files that were not known yet{rate}",
    }
    rows = "".join(f"<div><dt>{name}</dt><dd>{words.line(value)}</dd></div>\n" for name, value in facts.items())
    return f'<footer aria-label="How it was graded">\n<dl>\n{rows}</dl>\n</footer>\n'
