"""Finding hand-ins: every layout that people have, and nobody passed over in silence."""

from __future__ import annotations

import os
import struct
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from grader.cohort import Roster
from grader.listing import listing
from grader.records import UsageError
from grader.roster import find
from grader.submission import MAX_BYTES

FILE = "transformer_block.py"
LAYOUTS: dict[str, dict[str, str]] = {
    "nbgrader": {
        "submitted/bo/ps1/transformer_block.py": "bo",
        "submitted/bo/ps1/timestamp.txt": "",
        "submitted/ada/ps1/transformer_block.py": "ada",
        "source/ps1/transformer_block.py": "",
        "gradebook.db": "",
    },
    "submitted itself": {"bo/ps1/transformer_block.py": "bo", "ada/ps1/transformer_block.py": "ada"},
    "one file each": {"bo.py": "bo", "ada.py": "ada"},
    "one folder each": {"bo/transformer_block.py": "bo", "ada/answers/transformer_block.py": "ada"},
    "zipped folder": {"homework/bo/transformer_block.py": "bo", "homework/ada/transformer_block.py": "ada"},
    "zipped files": {"homework/bo.py": "bo", "homework/ada.py": "ada"},
    "canvas": {"bo_1234_56789_transformer_block.py": "bo", "ada_LATE_1235_56790_transformer_block-2.py": "ada"},
    "moodle files": {
        "bo_77_assignsubmission_file_transformer_block.py": "bo",
        "ada_78_assignsubmission_file_transformer_block.py": "ada",
    },
    "moodle folders": {
        "bo_77_assignsubmission_file_/transformer_block.py": "bo",
        "ada_78_assignsubmission_file_/transformer_block.py": "ada",
    },
    "blackboard": {
        "ps1_bo_attempt_2024-05-01-10-11-12_transformer_block.py": "bo",
        "ps1_bo_attempt_2024-05-01-10-11-12.txt": "",
        "ps1_ada_attempt_2024-05-01-10-11-12_transformer_block.py": "ada",
    },
    "brightspace files": {
        "12-34 - bo - May 1, 2024 1012 AM - transformer_block.py": "bo",
        "13-35 - ada - May 1, 2024 1013 AM - transformer_block.py": "ada",
    },
    "brightspace folders": {
        "12-34 - bo - May 1, 2024 1012 AM/transformer_block.py": "bo",
        "13-35 - ada - May 1, 2024 1013 AM/transformer_block.py": "ada",
    },
    "name before": {"bo_transformer_block.py": "bo", "ada-transformer_block.py": "ada"},
    "notebooks": {"bo/transformer_block.ipynb": "bo", "ada/transformer_block.ipynb": "ada"},
    "with the given code": {
        "bo/transformer_block.py": "bo",
        "bo/engine.py": "",
        "bo/nn.py": "",
        "ada/transformer_block.py": "ada",
        "ada/notes.txt": "",
    },
}
JUNK = {
    "__MACOSX/._bo.py": "",
    ".DS_Store": "",
    "bo/.DS_Store": "",
    "bo/__pycache__/x.py": "",
    "bo/.ipynb_checkpoints/y.py": "",
}


def laid_out(root: Path, files: Mapping[str, str], zipped: bool = False) -> Path:
    """The files as a folder, or as a zip."""
    if zipped:
        with zipfile.ZipFile(root.with_suffix(".zip"), "w") as archive:
            for name, text in files.items():
                archive.writestr(name, text)
        return root.with_suffix(".zip")
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    return root


def found(root: Path, files: Mapping[str, str], zipped: bool = False) -> Roster:
    """The roster of these files."""
    return find(listing(laid_out(root, files, zipped)))


@pytest.mark.parametrize("zipped", [False, True], ids=["folder", "zip"])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_layout_gives_the_same_roster(tmp_path: Path, layout: str, zipped: bool) -> None:
    """Ada and Bo, by name, each with the own file, without notices."""
    place = listing(laid_out(tmp_path / "class", LAYOUTS[layout], zipped))
    roster = find(place)
    assert [(one.student, place.read(one.origin).decode()) for one in roster.hand_ins] == [("ada", "ada"), ("bo", "bo")]
    assert (roster.troubles, [one.notices for one in roster.hand_ins]) == ((), [(), ()])


@pytest.mark.parametrize("zipped", [False, True], ids=["folder", "zip"])
def test_junk_is_ignored(tmp_path: Path, zipped: bool) -> None:
    """What systems leave behind is neither a hand-in nor a trouble."""
    roster = found(tmp_path / "class", {"bo/transformer_block.py": "", **JUNK}, zipped)
    assert [one.student for one in roster.hand_ins] == ["bo"] and not roster.troubles


def test_one_misnamed_file_is_accepted_with_a_notice(tmp_path: Path) -> None:
    """The notice names the file."""
    roster = found(tmp_path / "class", {"bo/My Block.py": "", "bo/nn.py": "", "ada/transformer_block.py": ""})
    assert [one.notices for one in roster.hand_ins] == [
        (), ("The file is named My Block.py, not transformer_block.py; accepted.",)
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("files", "words"),
    [
        (("a.py", "b.py"), "several candidates, so none was graded: found bo/a.py, bo/b.py"),
        ((FILE, "transformer_block.ipynb"), "several candidates"),
        (("ps1/" + FILE, "ps2/" + FILE), "several candidates"),
        (("work.zip",), "no transformer_block.py: found bo/work.zip (an archive, not opened: unpack it)"),
        (("engine.py", "nn.py"), "no transformer_block.py: found bo/engine.py, bo/nn.py"),
        (("a.txt", "b.txt", "c.txt", "d.txt", "e.txt", "f.txt"), "and 1 more"),
    ],
)
def test_several_or_none_is_a_trouble_with_a_name(tmp_path: Path, files: tuple[str, ...], words: str) -> None:
    """Nobody is skipped in silence: the student is named, and what was found."""
    roster = found(tmp_path / "class", {"ada/" + FILE: "", **{f"bo/{name}": "" for name in files}})
    assert [one.student for one in roster.troubles] == ["bo"] and words in roster.troubles[0].text


def test_an_empty_folder_is_a_student_without_a_file(tmp_path: Path) -> None:
    """Also when only junk is in it."""
    (tmp_path / "class" / "bo").mkdir(parents=True)
    roster = found(tmp_path / "class", {"ada/" + FILE: "", "cleo/.DS_Store": ""})
    assert [(one.student, one.text) for one in roster.troubles] == [
        ("bo", "no transformer_block.py: found bo/ (empty)"),
        ("cleo", "no transformer_block.py: found cleo/ (empty)"),
    ]


def test_members_of_one_name_are_told_and_not_graded(tmp_path: Path) -> None:
    """A zip may hold two files under one name; which of them is meant, only the student knows."""
    with zipfile.ZipFile(tmp_path / "class.zip", "w") as archive:
        for name in ("ada.py", "bo/" + FILE, "./bo/" + FILE):
            archive.writestr(name, name)
    roster = find(listing(tmp_path / "class.zip"))
    assert [one.student for one in roster.hand_ins] == ["ada"]
    assert [(one.student, one.text) for one in roster.troubles] == [
        ("bo", "several candidates, so none was graded: found bo/transformer_block.py (several times in the archive)")
    ]


def test_an_archive_beside_the_file_is_told(tmp_path: Path) -> None:
    """It is not opened, and the report says so."""
    (one,) = found(tmp_path / "class", {"bo/" + FILE: "", "bo/old.tar.gz": ""}).hand_ins
    assert one.notices == ("The archive old.tar.gz beside the file was not opened.",)


def test_an_empty_folder_in_a_zip_is_seen(tmp_path: Path) -> None:
    """A zip may list a folder with nothing in it."""
    roster = found(tmp_path / "class", {"ada/" + FILE: "", "bo/": ""}, zipped=True)
    assert [one.student for one in roster.troubles] == ["bo"]


def test_another_kind_of_file_among_files_is_reported(tmp_path: Path) -> None:
    """A student's zip beside the others' files gets its line."""
    roster = found(tmp_path / "class", {"ada.py": "", "bo.zip": "", "engine.py": ""})
    text = "no transformer_block.py: found bo.zip (an archive, not opened: unpack it)"
    assert [(one.student, one.text) for one in roster.troubles] == [("bo.zip", text)]


def test_one_assignment_of_several(tmp_path: Path) -> None:
    """With a name the others are left out, and who has nothing for it is named."""
    files = {f"submitted/{who}/{FILE}": who for who in ("ada/ps1", "ada/ps2", "bo/ps1")}
    roster = find(listing(laid_out(tmp_path / "course", files)), "ps2")
    assert [one.origin for one in roster.hand_ins] == ["submitted/ada/ps2/" + FILE]
    assert roster.troubles[0].text == "nothing for ps2: found submitted/bo/ps1/" + FILE


def test_links_are_named_and_not_followed(tmp_path: Path) -> None:
    """Neither a linked file nor a linked folder."""
    secret = laid_out(tmp_path / "elsewhere", {FILE: "secret"})
    root = laid_out(tmp_path / "class", {"ada/" + FILE: "", "bo/x.txt": ""})
    (root / "bo" / FILE).symlink_to(secret / FILE)
    (root / "cleo").symlink_to(secret)
    roster = find(listing(root))
    assert [one.student for one in roster.hand_ins] == ["ada"]
    assert [(one.student, "(a link, not followed)" in one.text) for one in roster.troubles] == [
        ("bo", True), ("cleo", True)
    ]  # fmt: skip


def test_a_file_that_became_a_link_is_not_read(tmp_path: Path) -> None:
    """Between finding and reading."""
    root = laid_out(tmp_path / "class", {"ada/" + FILE: ""})
    (root / "ada" / FILE).unlink()
    (root / "ada" / FILE).symlink_to("/etc/hostname")
    with pytest.raises(UsageError, match="cannot read"):
        listing(root).read("ada/" + FILE)


def test_a_link_in_a_zip_is_not_a_file(tmp_path: Path) -> None:
    """Its content is a path, not code."""
    with zipfile.ZipFile(tmp_path / "class.zip", "w") as archive:
        archive.writestr("ada/" + FILE, "")
        link = zipfile.ZipInfo("bo/" + FILE)
        link.external_attr = 0o120777 << 16
        archive.writestr(link, "/etc/passwd")
    roster = find(listing(tmp_path / "class.zip"))
    assert [one.student for one in roster.troubles] == ["bo"]


def test_paths_out_of_a_zip_stay_names(tmp_path: Path) -> None:
    """Nothing is unpacked, wherever a member says that it belongs."""
    files = {"../../evil.py": "", "/abs/olute.py": "", "c\\d\\transformer_block.py": ""}
    place = listing(laid_out(tmp_path / "class", files, zipped=True))
    assert [file.path for file in place.files()] == ["abs/olute.py", "c/d/transformer_block.py", "evil.py"]
    assert [path.name for path in tmp_path.iterdir()] == ["class.zip"]


def test_a_bomb_is_read_to_the_cap_only(tmp_path: Path) -> None:
    """A member that would unpack to 64 MiB costs a quarter of a megabyte."""
    with zipfile.ZipFile(tmp_path / "class.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("bo.py", bytes(2**26))
    assert len(listing(tmp_path / "class.zip").read("bo.py")) == MAX_BYTES + 1


def test_a_damaged_member_is_a_usage_error(tmp_path: Path) -> None:
    """One that does not unpack says so when it is read, and costs the others nothing."""
    path = laid_out(tmp_path / "class", {"bo.py": "x" * 100, "ada.py": "y" * 100}, zipped=True)
    data = path.read_bytes().replace(b"x" * 100, b"z" * 100)
    path.write_bytes(data)
    with pytest.raises(UsageError, match=r"bo\.py"):
        listing(path).read("bo.py")
    assert listing(path).read("ada.py") == b"y" * 100


def test_an_encrypted_member_is_a_usage_error(tmp_path: Path) -> None:
    """Nobody is asked for a password."""
    path = laid_out(tmp_path / "class", {"bo.py": "x"}, zipped=True)
    data = bytearray(path.read_bytes())
    for mark, offset in ((b"PK\3\4", 6), (b"PK\1\2", 8)):
        struct.pack_into("<H", data, data.index(mark) + offset, 1)
    path.write_bytes(data)
    with pytest.raises(UsageError, match=r"bo\.py"):
        listing(path).read("bo.py")


def test_two_students_of_one_name_are_told_apart(tmp_path: Path) -> None:
    """By the number that the system gave them, which is kept to find them in its gradebook."""
    roster = found(tmp_path / "class", {f"lee_{n}_56789_{FILE}": "" for n in (11, 12)})
    assert [(one.student, one.aliases) for one in roster.hand_ins] == [
        ("lee (11)", ("lee", "11")), ("lee (12)", ("lee", "12"))
    ]  # fmt: skip


def test_the_folder_of_one_student(tmp_path: Path) -> None:
    """The folder's name is the student's."""
    roster = found(tmp_path / "ada", {FILE: "", "engine.py": "", "nn.py": ""})
    assert [one.student for one in roster.hand_ins] == ["ada"] and not roster.troubles


@pytest.mark.parametrize("files", [{}, {"notes.txt": ""}], ids=["empty", "text"])
def test_no_hand_in_at_all_says_what_was_looked_for(tmp_path: Path, files: dict[str, str]) -> None:
    """And what was there instead."""
    (tmp_path / "class").mkdir()
    with pytest.raises(UsageError, match=r"looked for STUDENT.py.*found "):
        found(tmp_path / "class", files)


@pytest.mark.parametrize("name", ["gone", "text.zip"])
def test_what_is_no_class_is_a_usage_error(tmp_path: Path, name: str) -> None:
    """Neither a folder nor a zip."""
    (tmp_path / "text.zip").write_text("no zip", encoding="utf-8")
    with pytest.raises(UsageError):
        listing(tmp_path / name)


@pytest.mark.skipif(os.name != "posix", reason="names are bytes on POSIX only")
def test_a_name_that_is_no_text_is_a_trouble(tmp_path: Path) -> None:
    """The student is asked to rename the file, and the others are graded."""
    root = laid_out(tmp_path / "class", {"ada.py": ""})
    Path(os.fsdecode(os.fsencode(root) + b"/b\xff.py")).write_text("", encoding="utf-8")
    roster = find(listing(root))
    assert [one.student for one in roster.hand_ins] == ["ada"] and "rename" in roster.troubles[0].text
