"""Similar hand-ins on the page of a class: who has the same code, who has much in common, and where."""

from __future__ import annotations

from collections.abc import Sequence

from grader.class_results import ClassResults, Excerpt, Twins
from grader.render import words
from grader.render.class_tables import folded, names

SAME, PAIRS = 15, 15  # groups and pairs that are shown at once
QUOTED, PASSAGES = 60, 3  # pairs that are quoted, and passages of each
SMALL = 10  # different hand-ins, below which nobody can tell what is usual
WARNING = (
    "<p><strong>Similarity is not proof.</strong> One exercise has few short answers: people who read the same book, "
    "sat at the same table or heard the same lecture write alike. Read both hand-ins and speak with both people before "
    "you conclude anything. Which of two came first cannot be told from here.</p>\n"
    "<p>What was given (the exercise's code and the stub) does not count, nor do names, layout, comments, types and "
    "the order of methods. The score is the share of the shorter hand-in's own code that is in the other too; what "
    "many in this class have counts little.</p>\n"
)


def likeness(results: ClassResults) -> str:
    """The section; it says what it cannot tell."""
    found = results.likeness
    told = WARNING
    if found.unread:
        told += f"<p>Not compared, since they are no Python or their text is not kept: {found.unread:,}.</p>\n"
    if found.kinds < SMALL and (found.same or found.twins):
        told += (
            f"<p>With only {found.kinds} different hand-ins nobody can tell what is usual: expect chance finds.</p>\n"
        )
    told += _same(found.same) + _twins(found.twins, found.kinds)
    if not found.same and not found.twins:
        told += f"<p>No two of the {found.kinds:,} hand-ins that were compared are conspicuously alike.</p>\n"
    return f'<section aria-labelledby="likeness"><h2 id="likeness">Similar hand-ins</h2>\n{told}</section>\n'


def _same(groups: Sequence[tuple[str, ...]]) -> str:
    if not groups:
        return ""
    items = [f'<li><span class="count">{len(group):,}</span><div>{names(group)}</div></li>\n' for group in groups]
    told = folded("ul", items, SAME, f"{len(items) - SAME:,} more groups")
    return f"<h3>The same code throughout, but for names and layout</h3>\n{told}"


def _twins(twins: Sequence[Twins], kinds: int) -> str:
    if not twins:
        return ""
    items = [_pair(one, kinds) if number < QUOTED else _brief(one) for number, one in enumerate(twins)]
    told = folded("ol", items, PAIRS, f"{len(items) - PAIRS:,} more pairs")
    return f"<h3>Much in common, most first</h3>\n{told}"


def _brief(one: Twins) -> str:
    return f'<li><span class="count">{_percent(one)}</span><div>{_ends(one)}</div></li>\n'


def _percent(twins: Twins) -> str:
    """Rounded down: only all of it is 100 %."""
    return f"{int(100 * twins.pair.score + 1e-9)} %"


def _ends(twins: Twins) -> str:
    return " and ".join(
        f"<bdi>{words.line(name)}</bdi>" + (f" (and {more} with the same code)" if more else "")
        for name, more in zip(twins.names, twins.copies)
    )


def _pair(twins: Twins, kinds: int) -> str:
    pair = twins.pair
    unusual = (
        f"{pair.alone:,} of them in nobody else's hand-in" if pair.alone else "each in somebody else's hand-in too"
    )
    spread = f"{pair.holders:.1f} of {kinds:,} different hand-ins have each, on average"
    quoted = "".join(_excerpt(excerpt, twins.names) for excerpt in twins.excerpts[:PASSAGES])
    rest = ", ".join(_places(excerpt) for excerpt in twins.excerpts[PASSAGES:])
    rest = f"<p>Also {rest}.</p>\n" if rest else ""
    return (
        f'<li><span class="count">{_percent(twins)}</span><div><h4>{_ends(twins)}</h4>\n'
        f"<p>{pair.shared:,} places in common, {unusual}; {spread}.</p>\n"
        f'<details class="rest"><summary>Where</summary>\n{quoted}{rest}</details></div></li>\n'
    )


def _places(excerpt: Excerpt) -> str:
    (a, b), (c, d) = excerpt.one, excerpt.other
    return f"lines {a}–{b} and {c}–{d}"


def _excerpt(excerpt: Excerpt, who: tuple[str, str]) -> str:
    """The same lines side by side, or where they are."""
    if excerpt.texts is None:
        return f"<p>{_places(excerpt).capitalize()}</p>\n"
    columns = "".join(
        f'<div><p class="whose"><bdi>{words.line(name)}</bdi>, lines {first}–{last}</p>'
        f'<pre tabindex="0" role="region" aria-label="Lines {first} to {last}"><code>{words.text(text)}</code></pre>'
        "</div>\n"
        for name, (first, last), text in zip(who, (excerpt.one, excerpt.other), excerpt.texts)
    )
    return f'<div class="side">{columns}</div>\n'
