"""Pictures as SVG inside HTML: heat maps and pairs of bars, each with its numbers in words and in a table."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from math import isfinite, sqrt

from grader.records import Picture, Rows
from grader.render.visible import visible

CELL, LEFT, TOP = 46, 22, 22


def figures(pictures: Sequence[Picture]) -> list[str]:
    """Each picture as a figure; a caption that the one before it had is not told again."""
    before = ["", *(picture.caption for picture in pictures)]
    return [
        _figure(picture, "" if picture.caption == last else picture.caption) for picture, last in zip(pictures, before)
    ]


def _figure(picture: Picture, caption: str) -> str:
    drawn = _heat(picture) if picture.kind == "heat" else _pairs(picture)
    kind, verdict = ("odd", "not as expected") if picture.wrong else ("fine", "as expected")
    title = f'<strong>{_text(picture.title)}</strong> <span class="{kind}">{verdict}</span>'
    told = f"<figcaption>{title}{f'<br>{_text(caption)}' if caption else ''}</figcaption>"
    return f'<figure class="{picture.kind}">\n{told}\n{drawn}</figure>\n'


def _text(text: str) -> str:
    return escape(visible(text))


def _said(value: float) -> str:
    """A number for people: three digits, a plain 0 for what is nothing but rounding."""
    if not isfinite(value):
        return "beyond all bounds"
    return "0" if abs(value) < 1e-12 else f"{value:.3g}"


def _heat(picture: Picture) -> str:
    grids = [_grid(picture, picture.rows, "yours", picture.wrong)]
    if picture.expected:
        grids.append(_grid(picture, picture.expected, "expected", ()))
    down, across = (names[0].rpartition(" ")[0] for names in (picture.labels, picture.columns))
    grids.append(f'<p class="axes">down: {_text(down)}<br>across: {_text(across)}</p>')
    table = _numbers(picture)
    return f'<div class="grids">{"".join(grids)}</div>\n<details><summary>The numbers</summary>\n{table}</details>\n'


def _grid(picture: Picture, rows: Rows, whose: str, wrong: tuple[tuple[int, int], ...]) -> str:
    """One heat map: the stronger the colour the larger the number; what is not as expected has a dashed frame."""
    largest = max((abs(v) for row in rows for v in row if isfinite(v)), default=0.0) or 1.0
    cells = "".join(
        _cell(i, j, v, sqrt(min(1.0, abs(v) / largest)) if isfinite(v) else 1.0, (i, j) in wrong)
        for i, row in enumerate(rows)
        for j, v in enumerate(row)
    )
    down = "".join(f'<text class="axis" x="11" y="{TOP + CELL * i + 27}">{i}</text>' for i in range(len(rows)))
    count = len(rows[0]) if rows else 0
    across = "".join(f'<text class="axis" x="{LEFT + CELL * j + 23}" y="14">{j}</text>' for j in range(count))
    width, height = LEFT + CELL * count + 2, TOP + CELL * len(rows) + 2
    told = f"{picture.title}, {whose}. {_in_words(picture, wrong)}"
    size = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    return (
        f'<div><svg role="img" aria-label="{_text(told)}" {size}>{across}{down}{cells}</svg>'
        f'<p class="whose">{whose}</p></div>'
    )


def _cell(i: int, j: int, value: float, share: float, odd: bool) -> str:
    x, y, kind = LEFT + CELL * j, TOP + CELL * i, "cell odd" if odd else "cell"
    shown = _said(value) if len(_said(value)) < 6 else f"{value:.2g}"
    return (
        f'<rect class="{kind}" x="{x + 1}" y="{y + 1}" width="{CELL - 2}" height="{CELL - 2}" rx="5" '
        f'fill-opacity="{share * (0.4 if odd else 0.75):.2f}"/><text x="{x + 23}" y="{y + 27}">{escape(shown)}</text>'
    )


def _in_words(picture: Picture, wrong: tuple[tuple[int, int], ...]) -> str:
    if not wrong:
        return "All as expected."
    places = [f"{picture.labels[i]}, {picture.columns[j]}: {_said(picture.rows[i][j])}" for i, j in wrong]
    return f"Not as expected: {'; '.join(places)}."


def _numbers(picture: Picture) -> str:
    """The numbers of a heat map as a table, with those that are expected in brackets."""
    head = "".join(f'<th scope="col">{_text(name)}</th>' for name in picture.columns)
    body = ""
    for i, row in enumerate(picture.rows):
        cells = "".join(_number(picture, i, j, value) for j, value in enumerate(row))
        body += f'<tr><th scope="row">{_text(picture.labels[i])}</th>{cells}</tr>\n'
    return f"{_wide(picture)}<table><thead><tr><td></td>{head}</tr></thead>\n<tbody>{body}</tbody></table></div>\n"


def _wide(picture: Picture) -> str:
    """The beginning of what scrolls sideways where there is no room; by keyboard too."""
    return f'<div class="wide" tabindex="0" role="group" aria-label="{_text(picture.title)}, the numbers">'


def _number(picture: Picture, i: int, j: int, value: float) -> str:
    beside = f" ({_said(picture.expected[i][j])})" if picture.expected else ""
    odd = ' class="odd"' if (i, j) in picture.wrong else ""
    return f"<td{odd}>{_said(value)}{beside}</td>"


def _pairs(picture: Picture) -> str:
    """A table with a bar beside each number; both bars of a row have one scale, that of the whole picture."""
    largest = max((abs(v) for row in picture.rows for v in row if isfinite(v)), default=0.0) or 1.0
    odd = {i for i, _ in picture.wrong}
    body = ""
    for i, (row, label) in enumerate(zip(picture.rows, picture.labels)):
        bars = "".join(_bar(value / largest, k) for k, value in enumerate(row))
        numbers = "".join(f"<td>{_said(value)}</td>" for value in row)
        mark = ' class="odd"' if i in odd else ""
        said = "differs" if i in odd else "agrees"
        body += (
            f'<tr{mark}><th scope="row">{_text(label)}</th><td class="bars" aria-hidden="true">'
            f'<svg viewBox="-101 0 202 20" preserveAspectRatio="none">{bars}<path d="M0 0V20"/></svg></td>'
            f"{numbers}<td>{said}</td></tr>\n"
        )
    head = "".join(f'<th scope="col" class="key{k}">{_text(name)}</th>' for k, name in enumerate(picture.columns))
    return (
        f'{_wide(picture)}<table><thead><tr><td></td><td class="bars"></td>'
        f'{head}<th scope="col">verdict</th></tr></thead>\n<tbody>{body}</tbody></table></div>\n'
    )


def _bar(share: float, k: int) -> str:
    share = max(-1.0, min(1.0, share)) if isfinite(share) else 0.0
    x, width = min(0.0, share) * 100, abs(share) * 100
    return f'<rect class="bar{k}" x="{x:.1f}" y="{2 + 8 * k}" width="{width:.1f}" height="7"/>'
