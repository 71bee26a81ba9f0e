"""What fuzzing is made of: bytes, JSON, replies made worse and Python that nobody would write, from a Random each."""

from __future__ import annotations

import codecs
import json
import random
from collections.abc import Callable
from typing import Any

Rng = random.Random
NUMBERS = (0, -1, 1, 2, 1e308, -1e308, 1.7e308, 5e-324, 0.5, -0.0, 2**53, 2**63, -(2**64), 10**30, 3, 7, 99_999)
_WORDS = "answered raised todo memory died blocked **nan **-1 **1e9 exp log + * relu forward construct NotAsAsked"
WORDS = (*_WORDS.split(), "", "AssertionError", "\ud800", "é\u202e\u0000", "<b>::error::", "x" * 9999)
_COOKIES = "utf-8 latin-1 cp1252 utf-7 rot13 utf-16 hex idna undefined mbcs gb18030 shift_jis euc_kr koi8-r cp437"
COOKIES = (*_COOKIES.split(), "unicode_escape", "raw_unicode_escape", "\x00", "é", "u" * 300)
BEFORE_COOKIES = ("", "#!x\n", "\n", "\f")
MARKS = (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE, b"", b"")
ENCODINGS = ("utf-8", "utf-16", "utf-32", "utf-7", "latin-1", "cp1252", "shift_jis", "gb18030", "cp037", "big5")
LONG = 300_000
SPLITS = ("NaN", "1e400", "9" * 5000, "[" * 50_000, "\0", "-Infinity", '"\\ud800"')
_ATOMS = "x self é ℵ 𝔘 1 1j 0x 's' f'{x!r:>{x}}' \"\"\" b'\\xff' ... None 1_0 10**400 ( [ {} λ"
ATOMS = _ATOMS.split()
SHAPES = r"""{0} = {1}|def {0}({1}): return {1}|class {0}({1}): pass|for {0} in {1}: pass|if {0}:\n\t{1}\n        {0}
{0}: {1} = {0}|lambda {0}: {1}|raise {1}|try:\n  {0}\nexcept {1}: pass|import {0}|async def {0}(): await {1}|@{0}\n
match {0}:\n case {1}: pass|return {0}|# coding: {0}|{0}\|\f{0}|global {0}|del {0}|print({0}, {1})|assert {0}, {1}"""
SHAPES_OF_LINES = [s.replace("\\n", "\n").replace("\\t", "\t") for s in SHAPES.replace("\n", "|").split("|")]


def raw_bytes(rng: Rng) -> bytes:
    """A file's content: noise, text in odd encodings, with marks, cookies, NULs, very long lines."""
    kind = rng.randrange(6)
    body: bytes
    if kind == 0:
        body = rng.randbytes(rng.randrange(200))
    elif kind == 1:
        body = text(rng).encode(rng.choice(ENCODINGS), "replace")
    elif kind == 2:
        body = text(rng).encode("utf-8", "surrogatepass")
    elif kind == 3:
        body = rng.choice((b"(", b"#", b"\n", b"\r", b"a\n", b" ", b"\x0c\n", b"\xff")) * rng.randrange(1, LONG)
    else:
        cookie = f"{rng.choice(BEFORE_COOKIES)}# -*- coding: {rng.choice(COOKIES)} -*-\n"
        body = cookie.encode("utf-8") + rng.choice((rng.randbytes(40), code(rng).encode("utf-8", "replace"), b""))
    if rng.random() < 0.1:
        place = rng.randrange(len(body) + 1)
        body = body[:place] + b"\0" + body[place:]
    return rng.choice(MARKS) + body


def text(rng: Rng) -> str:
    """Characters from all over Unicode, lone surrogates among them."""
    tops = (0x7F, 0xFF, 0x2FFF, 0xFFFF, 0x10FFFF)
    return "".join(chr(rng.randrange(rng.choice(tops) + 1)) for _ in range(rng.randrange(60)))


def junk(rng: Rng, depth: int = 3) -> Any:
    """A value of JSON, of any kind."""
    kind = rng.randrange(9 if depth else 5)
    if kind < 2:
        return rng.choice(NUMBERS)
    if kind == 2:
        return rng.choice((None, True, False))
    if kind == 3:
        return rng.choice(WORDS)
    if kind == 4:
        return text(rng)
    if kind < 7:
        return [junk(rng, depth - 1) for _ in range(rng.randrange(4))]
    return {
        rng.choice((*WORDS[:4], "cells", "fault", "answers", text(rng))): junk(rng, depth - 1)
        for _ in range(rng.randrange(4))
    }


def notebook(rng: Rng) -> bytes:
    """What is named .ipynb: JSON that is nearly a notebook, or far from it, or deep."""
    kind = rng.randrange(5)
    if kind == 0:
        return json.dumps(junk(rng)).encode("ascii")
    if kind == 1:
        return rng.choice((b"[", b'{"cells":', b'{"cells":[[')) * rng.randrange(1, 30_000)
    sources: tuple[Callable[[Rng], Any], ...] = (code, junk, text, lambda r: [code(r), code(r)], lambda r: "(" * 5000)
    cells: list[Any] = [
        {"cell_type": rng.choice(("code", "code", "code", "markdown", junk(rng))), "source": rng.choice(sources)(rng)}
        for _ in range(rng.randrange(5))
    ]
    if kind == 2:
        cells.append(junk(rng))
    data = json.dumps({"cells": cells, "nbformat": rng.choice((4, 3, "4", None))}).encode("ascii")
    return data[: rng.randrange(len(data))] if kind == 3 else data


def torn(rng: Rng, line: str) -> str | bytes:
    """A worker's line cut, doubled, mixed with another, or with bytes changed."""
    kind, place = rng.randrange(8), rng.randrange(len(line))
    if kind == 0:
        return line[:place]
    if kind == 1:
        return line[:place] + line
    if kind == 2:
        return line + line[place:]
    if kind == 3:
        other = rng.randrange(len(line))
        return line[:place] + line[other:]
    if kind == 4:
        return (
            line[:place]
            + rng.choice(("NaN", "1e400", "9" * 5000, "[" * 50_000, "\0", "-Infinity", '"\\ud800"'))
            + line[place:]
        )
    if kind == 5:
        return line.encode("ascii")[:place] + rng.randbytes(3) + line.encode("ascii")[place + 3 :]
    return worsened(rng, line)


def worsened(rng: Rng, line: str) -> str:
    """A reply with one to three places changed: dropped, renamed, of another type, longer, shorter, out of range."""
    form = json.loads(line)
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        _spoil(rng, form)
    return json.dumps(form)


def _spoil(rng: Rng, form: Any) -> None:
    """Walk down at random, mostly deep, and change what is there."""
    while isinstance(form, (dict, list)) and form:
        places = [*form] if isinstance(form, dict) else [*range(len(form))]
        deeper = [place for place in places if isinstance(form[place], (dict, list)) and form[place]]
        if deeper and rng.random() < 0.85:
            form = form[rng.choice(deeper)]
            continue
        _change(rng, form, rng.choice(places))
        return


def _change(rng: Rng, form: Any, place: Any) -> None:
    kind = rng.randrange(12)
    if kind == 0:
        del form[place]
    elif kind > 4:
        form[place] = _changed(rng, form[place])
    elif isinstance(form, dict):
        form[f"{place}_" if kind == 1 else place] = form.pop(place) if kind == 1 else _changed(rng, form[place])
    elif kind == 1:
        form.insert(place, form[place])
    elif kind == 2:
        form.clear()
    elif kind == 3:
        rng.shuffle(form)
    else:
        form[place:] = []


def _changed(rng: Rng, value: Any) -> Any:
    """Mostly another value of the same type, so that the form still fits and the judges get to see it."""
    if rng.random() < 0.1:
        return junk(rng, 2)
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return rng.choice((value + 1, value - 1, -value, 0, -1, 10**6, 2**70))
    if isinstance(value, float):
        return rng.choice((-value, value + 1e-7, 1.7e308, -1.7e308, 0.0, 1, 5e-324, 10**15, value * 2))
    if isinstance(value, str):
        return rng.choice(WORDS)
    return rng.choice(([], {}, None, [value], 0, 0.5))


def code(rng: Rng) -> str:
    """Lines of something like Python, from a few shapes."""
    lines = []
    for _ in range(rng.randrange(1, 8)):
        line = rng.choice(SHAPES_OF_LINES).format(rng.choice(ATOMS), rng.choice(ATOMS))
        lines.append(rng.choice(("", "", " ", "    ", "\t", "%", "!")) + line)
    return "\n".join(lines)


def mangled(rng: Rng, source: str) -> str:
    """A hand-in's text with lines lost, doubled, moved in, and names that need Unicode."""
    lines = source.splitlines()
    for _ in range(rng.randrange(1, 5)):
        place, kind = rng.randrange(len(lines)), rng.randrange(6)
        if kind == 0 and len(lines) > 1:
            del lines[place]
        elif kind == 1:
            lines.insert(place, lines[place])
        elif kind == 2:
            lines[place] = rng.choice((" ", "\t", "    ")) + lines[place]
        elif kind == 3:
            lines[place] = lines[place].lstrip()
        elif kind == 4:
            lines[place] = lines[place].replace("self", "sélf").replace("x", "𝔵").replace("H", "ℍ")
        else:
            lines.insert(place, code(rng))
    return "\n".join(lines)
