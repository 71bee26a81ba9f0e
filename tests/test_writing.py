"""Writing a file whole: the old one or the new one, never half of it, and nothing left beside it."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from grader.records import UsageError
from grader.writing import write_whole


def test_text_is_written_as_utf_8_with_plain_line_ends(tmp_path: Path) -> None:
    """The same bytes on every system."""
    write_whole(tmp_path / "report.txt", "✓ é\nend\n")
    assert (tmp_path / "report.txt").read_bytes() == "✓ é\nend\n".encode()


def test_an_old_file_is_replaced(tmp_path: Path) -> None:
    """A longer old report leaves no rest."""
    (tmp_path / "report.txt").write_text("a much longer old report", encoding="utf-8")
    write_whole(tmp_path / "report.txt", "new\n")
    assert (tmp_path / "report.txt").read_text(encoding="utf-8") == "new\n"


def test_nothing_is_left_beside_it(tmp_path: Path) -> None:
    """No draft remains."""
    write_whole(tmp_path / "report.txt", "x")
    assert [path.name for path in tmp_path.iterdir()] == ["report.txt"]


def test_who_reads_while_it_is_written_sees_the_old_file(tmp_path: Path) -> None:
    """A reader that opened the old report keeps it, whole."""
    path = tmp_path / "report.txt"
    path.write_text("old", encoding="utf-8")
    with path.open(encoding="utf-8") as reader:
        write_whole(path, "new")
        assert reader.read() == "old"


@pytest.mark.parametrize("mask", [0o022, 0o077])
def test_others_may_read_it_as_any_new_file(tmp_path: Path, mask: int) -> None:
    """The report has the rights that the user's umask gives to new files, not those of a private draft."""
    before = os.umask(mask)
    try:
        write_whole(tmp_path / "report.txt", "x")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "report.txt").stat().st_mode) == 0o666 & ~mask


def test_a_missing_folder_is_a_usage_error(tmp_path: Path) -> None:
    """One line that names the path and asks the right question."""
    with pytest.raises(UsageError, match=r"cannot write .*report\.txt: .*; does its folder exist\?"):
        write_whole(tmp_path / "gone" / "report.txt", "x")


def test_a_folder_in_its_place_is_a_usage_error(tmp_path: Path) -> None:
    """The folder stays, and no draft beside it."""
    (tmp_path / "report.txt").mkdir()
    with pytest.raises(UsageError, match="cannot write"):
        write_whole(tmp_path / "report.txt", "x")
    assert [path.name for path in tmp_path.iterdir()] == ["report.txt"]


def test_a_pipe_or_device_is_not_replaced(tmp_path: Path) -> None:
    """`--output /dev/null` must never turn the device into a file, whoever calls; a pipe stands in for it here."""
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(UsageError):
        write_whole(tmp_path / "pipe", "x")
    assert stat.S_ISFIFO((tmp_path / "pipe").stat().st_mode)


def test_a_link_to_a_device_is_not_replaced(tmp_path: Path) -> None:
    """/dev/stdout is such a link."""
    (tmp_path / "stdout").symlink_to("/dev/null")
    with pytest.raises(UsageError):
        write_whole(tmp_path / "stdout", "x")
    assert (tmp_path / "stdout").is_symlink()


def test_a_character_that_no_file_can_hold_is_replaced(tmp_path: Path) -> None:
    """A hand-in's name may hold a lone surrogate (bytes that are not UTF-8); its report is written all the same."""
    write_whole(tmp_path / "report.txt", "mine-\udcff.py\n")
    assert (tmp_path / "report.txt").read_text(encoding="utf-8").startswith("mine-")
    assert [path.name for path in tmp_path.iterdir()] == ["report.txt"]
