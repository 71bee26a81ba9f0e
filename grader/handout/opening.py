"""Opens what a file may hold inside: archives, compressed data, notebooks, text written as base64 or hexadecimal."""

from __future__ import annotations

import base64
import binascii
import io
import json
import re
import zipfile
import zlib
from collections.abc import Iterator
from typing import Any

DEPTH = 5
MOST = 64 * 2**20  # bytes of one thing inside another; a handout has less than a tenth of it
# Text written as letters and digits, in one line or several, with what stands between the lines of a literal.
_ENCODED = re.compile(rb"[A-Za-z0-9+/_-]{24,}(?:(?:\\n|[\s\"',+])*[A-Za-z0-9+/_-]{24,})*[A-Za-z0-9+/_-]*={0,2}")
_BETWEEN = re.compile(rb"\\n|[^A-Za-z0-9+/_=-]")


def texts(name: str, data: bytes, depth: int = DEPTH) -> Iterator[tuple[str, str]]:
    """Everything readable in ``data``: where it was found, and the text, itself first."""
    yield name, data.decode("utf-8", "replace")
    if depth:
        for inner, more in _inside(data):
            yield from texts(f"{name} > {inner}", more[:MOST], depth - 1)


def _inside(data: bytes) -> Iterator[tuple[str, bytes]]:
    if data.startswith(b"PK\x03\x04"):
        yield from _members(data)
    elif data.startswith((b"\x1f\x8b", b"\x78")):
        yield from _unpacked(data)
    elif data.lstrip()[:1] in (b"{", b"["):
        yield from _strings(data)
    for found in _ENCODED.finditer(data):
        yield from _decoded(_BETWEEN.sub(b"", found.group()))


def _members(data: bytes) -> Iterator[tuple[str, bytes]]:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for info in archive.infolist():
                yield info.filename, archive.read(info)
    except (zipfile.BadZipFile, zlib.error, OSError, RuntimeError, NotImplementedError):
        return


def _unpacked(data: bytes) -> Iterator[tuple[str, bytes]]:
    """What gzip or zlib packed, as far as it goes."""
    try:
        yield "unpacked", zlib.decompressobj(wbits=zlib.MAX_WBITS | 32).decompress(data, MOST)
    except zlib.error:
        return


def _strings(data: bytes) -> Iterator[tuple[str, bytes]]:
    """The strings of JSON as one text; a list of strings alone, as a notebook's source, in one piece."""
    try:
        found = "\n".join(_said(json.loads(data)))
    except (ValueError, RecursionError):
        return
    yield "strings", found.encode("utf-8", "replace")


def _said(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list) and value and all(isinstance(one, str) for one in value):
        yield "".join(value)
    elif isinstance(value, (list, dict)):
        for one in value.values() if isinstance(value, dict) else value:
            yield from _said(one)


def _decoded(letters: bytes) -> Iterator[tuple[str, bytes]]:
    """What letters stand for, as hexadecimal and as base64 in both alphabets, where it is text or compressed."""
    try:
        plain = [("hexadecimal", binascii.unhexlify(letters))]
    except binascii.Error:
        plain = []
    standard = letters.replace(b"-", b"+").replace(b"_", b"/").rstrip(b"=")
    for cut in range(4):  # a name or a word may stand in front of it
        whole = standard[cut:]
        whole = whole[:-1] if len(whole) % 4 == 1 else whole
        plain.append(("base64", base64.b64decode(whole + b"=" * (-len(whole) % 4))))
    yield from ((kind, data) for kind, data in plain if _means_something(data))


def _means_something(data: bytes) -> bool:
    known = data.startswith((b"PK\x03\x04", b"\x1f\x8b", b"\x78"))
    return known or (len(data) > 16 and all(32 <= byte < 127 or byte in b"\t\n\r" for byte in data))
