"""Reading a hand-in: whatever file a student sends ends in text, or in one plain sentence."""

from __future__ import annotations

import codecs
import hashlib
import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from grader.records import Submission, UsageError
from grader.submission import MAX_BYTES, read

Write = Callable[..., Submission]


@pytest.fixture
def written(tmp_path: Path) -> Write:
    """Writes bytes to a file and reads it as a hand-in."""

    def write(data: bytes, name: str = "transformer_block.py") -> Submission:
        path = tmp_path / name
        path.write_bytes(data)
        return read(path)

    return write


def trouble_of(submission: Submission) -> str:
    """The sentence for the student, which must be one: no text, no traceback, an end."""
    assert submission.text is None and submission.trouble is not None
    assert submission.trouble[0].isupper() and submission.trouble.endswith((".", ").", "?"))
    assert "Error" not in submission.trouble and "Traceback" not in submission.trouble
    return submission.trouble


def test_plain_text_is_kept_with_name_and_digest(written: Write) -> None:
    """An ordinary file comes out as it is."""
    data = b"x = 1\n"
    assert written(data, "mine.py") == Submission("mine.py", hashlib.sha256(data).hexdigest(), "x = 1\n", None)


def test_byte_order_mark_is_dropped(written: Write) -> None:
    """What Windows editors put in front is not part of the text."""
    assert written(codecs.BOM_UTF8 + "x = 'é'\n".encode()).text == "x = 'é'\n"


@pytest.mark.parametrize(
    "first", [b"# -*- coding: latin-1 -*-\n", b"#!/usr/bin/python\n# vim: set fileencoding=latin1 :\n"]
)
def test_encoding_cookie_is_honoured(written: Write, first: bytes) -> None:
    """PEP 263 in the first or second line, in any of its usual spellings."""
    assert (written(first + b"x = '\xe9'\n").text or "").endswith("x = 'é'\n")


@pytest.mark.parametrize(
    "cookie", ["utf-8", "utf8", "UTF-8", "utf-8-unix", "utf-8-sig", "latin-1-unix", "cp1252", "euc-kr"]
)
def test_cookies_that_python_takes_are_taken(written: Write, cookie: str) -> None:
    """What Python itself accepts, editors' line-ending suffixes included, is no reason to refuse a file."""
    text = f"# -*- coding: {cookie} -*-\nx = 1\n"
    assert written(text.encode("ascii")).text == text


@pytest.mark.parametrize("before", [b"x = 1\n", b"#\n#\n"])
def test_cookie_elsewhere_is_a_comment(written: Write, before: bytes) -> None:
    """After code, or below the second line, it names nothing."""
    assert (written(before + b"# coding: latin-1\ny = '\xc3\xa9'\n").text or "").endswith("y = 'é'\n")


@pytest.mark.parametrize("cookie", ["utf-7", "rot13", "unicode_escape", "punycode", "no-such-code", "hex"])
def test_encodings_that_hide_code_are_refused(written: Write, cookie: str) -> None:
    """utf-7 and the like turn comments into code; unknown ones cannot be read."""
    assert "save the file as UTF-8" in trouble_of(written(f"# coding: {cookie}\nx = 1\n".encode("ascii")))


def test_bytes_that_do_not_fit_are_named_with_their_line(written: Write) -> None:
    """Latin-1 without a cookie: the line, the byte and the way out."""
    said = trouble_of(written(b"x = 1\ny = '\xe9'\n"))
    assert "Line 2" in said and "0xe9" in said and "UTF-8" in said


@pytest.mark.parametrize("mark", ["utf-16", "utf-16-be"])
def test_utf_16_is_named(written: Write, mark: str) -> None:
    """Notepad's "Unicode" is not binary: the message says what to change."""
    start = b"" if mark == "utf-16" else codecs.BOM_UTF16_BE
    assert "UTF-16" in trouble_of(written(start + "x = 1\n".encode(mark)))


def test_nul_bytes_are_no_text(written: Write) -> None:
    """An archive or an object file is named as such."""
    assert "not text" in trouble_of(written(b"PK\x03\x04\x00\x00"))


@pytest.mark.parametrize("data", [b"", b" \r\n\t\n", codecs.BOM_UTF8, codecs.BOM_UTF8 + b"\n"])
def test_nothing_but_white_space_is_empty(written: Write, data: bytes) -> None:
    """An empty file is told where to start."""
    assert "empty" in trouble_of(written(data)) and "stub" in trouble_of(written(data))


def test_the_largest_file_is_read(written: Write) -> None:
    """256 KiB are allowed to the last byte."""
    assert len(written(b"#" * MAX_BYTES).text or "") == MAX_BYTES


def test_one_byte_more_is_too_large(written: Write) -> None:
    """A file that is too large is not run, and the limit is named."""
    assert "256 KiB" in trouble_of(written(b"#" * (MAX_BYTES + 1)))


@pytest.mark.parametrize("data", [b"def f():\r\n\treturn 1\r\n", b"def f():\r\treturn 1\r"])
def test_line_ends_and_tabs_still_run(written: Write, data: bytes) -> None:
    """Line ends of other systems and tabs mean what they mean to Python."""
    names: dict[str, Callable[[], int]] = {}
    exec(compile(written(data).text or "", "hand-in", "exec"), names)
    assert names["f"]() == 1


def test_link_is_followed(written: Write, tmp_path: Path) -> None:
    """A link to a hand-in is that hand-in under the link's name."""
    written(b"x = 1\n")
    (tmp_path / "link.py").symlink_to("transformer_block.py")
    assert read(tmp_path / "link.py").text == "x = 1\n" and read(tmp_path / "link.py").name == "link.py"


def test_missing_file_is_a_usage_error(tmp_path: Path) -> None:
    """The path that was given is named, and what should have been given."""
    with pytest.raises(UsageError, match=r"cannot grade .*gone\.py: there is no such file; give the path"):
        read(tmp_path / "gone.py")


def test_link_to_nowhere_is_missing(tmp_path: Path) -> None:
    """A dangling link is a missing file."""
    (tmp_path / "link.py").symlink_to("nowhere.py")
    with pytest.raises(UsageError, match="no such file"):
        read(tmp_path / "link.py")


def test_folder_is_a_usage_error(tmp_path: Path) -> None:
    """A folder is told to name the file in it."""
    with pytest.raises(UsageError, match=r"is a folder; give the file in it.*transformer_block\.py"):
        read(tmp_path)


@pytest.mark.timeout(5)
def test_fifo_does_not_hang(tmp_path: Path) -> None:
    """A pipe that nobody writes to is refused at once."""
    os.mkfifo(tmp_path / "pipe.py")
    with pytest.raises(UsageError, match="not a regular file"):
        read(tmp_path / "pipe.py")


@pytest.mark.timeout(5)
@pytest.mark.parametrize("device", ["/dev/zero", "/dev/null"])
def test_device_is_refused(device: str) -> None:
    """An endless file is refused, not read."""
    with pytest.raises(UsageError, match="not a regular file"):
        read(Path(device))


@pytest.mark.parametrize("name", ["a\0b.py", "a" * 5000])
def test_path_that_cannot_exist_is_a_usage_error(name: str) -> None:
    """Whatever the system says about a path becomes one line."""
    with pytest.raises(UsageError, match=r"^cannot read "):
        read(Path(name))


def test_notebook_that_is_none_is_named(written: Write) -> None:
    """A file named .ipynb must be a notebook."""
    for data in (b"x = 1\n", b"[]", b'{"cells": 3}', b'{"cells": [{"cell_type": "code"}]}', b"[" * 100_000):
        assert ".ipynb" in trouble_of(written(data, "mine.ipynb"))


def test_notebook_without_code_is_named(written: Write) -> None:
    """Prose alone is no hand-in."""
    cells = [{"cell_type": "markdown", "source": ["x = 1"]}]
    assert "no code cells" in trouble_of(written(json.dumps({"cells": cells}).encode(), "mine.ipynb"))
