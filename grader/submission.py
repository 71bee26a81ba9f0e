"""Reads a hand-in: any file a student may send becomes a Submission, with its text or with what is wrong in words."""

from __future__ import annotations

import codecs
import hashlib
import os
import re
import stat
from pathlib import Path

from grader.cells import code_of
from grader.records import Submission, UsageError

MAX_BYTES = 256 * 1024
NOTEBOOK_BYTES = 16 * 1024 * 1024  # with the pictures and reports that its cells have shown
_COOKIE = re.compile(rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
# Encodings that people's editors write. Others (utf-7, rot13, unicode_escape) hide code from a reader.
_ENCODINGS = re.compile(
    r"utf-8|ascii|iso8859-\d+|cp125\d|cp437|cp850|koi8-[ru]|mac-roman|gb2312|gbk|gb18030|big5|shift_jis|cp932|euc_(jp|kr)"
)
_TOO_LARGE = f"The file is larger than {MAX_BYTES // 1024} KiB; a filled-in stub has about 10. Is it the right file?"
_NOTEBOOK_TOO_LARGE = "The notebook is larger than 16 MiB; clear the outputs of its cells, save, and hand it in again."
_LOOKS_BINARY = "The file is not text: it holds NUL bytes. Hand in transformer_block.py itself, not an archive."


def read(path: Path) -> Submission:
    """The file at ``path``. Raises UsageError when there is no regular file to read."""
    return from_bytes(path.name, _bytes_of(path))


def from_bytes(name: str, data: bytes) -> Submission:
    """A file's content under its name. Of a file that is too large, most_bytes(name) + 1 bytes are enough."""
    digest = hashlib.sha256(data).hexdigest()
    name = name.encode("utf-8", "replace").decode("utf-8")  # a name may hold bytes that are no text
    if len(data) > most_bytes(name):
        return Submission(name, digest, None, _NOTEBOOK_TOO_LARGE if name.endswith(".ipynb") else _TOO_LARGE)
    text, trouble = _text_of(data)
    if text is not None and name.endswith(".ipynb"):
        text, trouble = code_of(text)
        if text is not None and len(text) > MAX_BYTES:
            text, trouble = None, _TOO_LARGE
    return Submission(name, digest, text, trouble)


def most_bytes(name: str) -> int:
    """How large a file of this name may be."""
    return NOTEBOOK_BYTES if name.endswith(".ipynb") else MAX_BYTES


def _bytes_of(path: Path) -> bytes:
    """At most most_bytes(name) + 1 bytes of a regular file; never waits on a pipe or a device."""
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    except FileNotFoundError:
        raise UsageError(
            f"cannot grade {path}: there is no such file; give the path of your transformer_block.py"
        ) from None
    except IsADirectoryError:
        raise UsageError(_is_folder(path)) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise UsageError(f"cannot read {path}: {reason}; check the path and its permissions") from None
    try:
        mode = os.fstat(descriptor).st_mode
        if stat.S_ISDIR(mode):
            raise UsageError(_is_folder(path))
        if not stat.S_ISREG(mode):
            raise UsageError(f"cannot grade {path}: it is not a regular file; give the path of a .py file")
        return os.read(descriptor, most_bytes(path.name) + 1)
    finally:
        os.close(descriptor)


def _is_folder(path: Path) -> str:
    return f"cannot grade {path}: it is a folder; give the file in it, for example {path / 'transformer_block.py'}"


def _text_of(data: bytes) -> tuple[str | None, str | None]:
    if data[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
        return None, "The file is saved as UTF-16; save it as UTF-8 (your editor's 'Save with encoding')."
    if b"\0" in data:
        return None, _LOOKS_BINARY
    body = data[3:] if data.startswith(codecs.BOM_UTF8) else data
    if not body.strip():
        return None, "The file is empty. Copy the stub exercise/transformer_block.py and fill it in."
    named = _encoding_named_in(body) if body is data else "utf-8"
    if named is None:
        return None, "The encoding named in the file's first lines is unknown or unusual; save the file as UTF-8."
    try:
        return body.decode(named), None
    except UnicodeDecodeError as error:
        line = body.count(b"\n", 0, error.start) + 1
        return None, f"Line {line} is not {named}: byte {body[error.start]:#04x}. Save the file as UTF-8."


def _encoding_named_in(body: bytes) -> str | None:
    """The encoding of PEP 263 in the first two lines, utf-8 without one, None when it is not an ordinary one."""
    for line in body.splitlines()[:2]:
        found = _COOKIE.match(line)
        if found:
            try:
                name = codecs.lookup(_normal(found.group(1).decode("ascii", "replace"))).name
            except LookupError:
                return None
            return name if _ENCODINGS.fullmatch(name) else None
        if line.strip() and not line.lstrip().startswith(b"#"):
            break
    return "utf-8"


def _normal(cookie: str) -> str:
    """The encoding's name as Python's tokenizer takes it: editors write utf-8-unix and the like (PEP 263)."""
    name = cookie.lower().replace("_", "-")
    for plain in ("utf-8", "latin-1", "iso-8859-1", "iso-latin-1"):
        if name == plain or name.startswith(f"{plain}-"):
            return "utf-8" if plain == "utf-8" else "iso-8859-1"
    return cookie
