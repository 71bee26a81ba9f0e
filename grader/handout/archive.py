"""A handout as a zip, the same bytes every time, and as a folder that is put in place whole."""

from __future__ import annotations

import io
import secrets
import shutil
import zipfile
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from grader.records import UsageError

Files = Mapping[str, bytes]  # by path, with / between its parts
EPOCH = (1980, 1, 1, 0, 0, 0)  # the first moment a zip can name
REGULAR, PLAIN, EXECUTABLE = 0o100000, 0o644, 0o755


def zipped(files: Files, top: str = "") -> bytes:
    """A zip of ``files``, below the folder ``top`` if there is one. What begins with #! may be executed."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name in sorted(files):
            info = zipfile.ZipInfo(str(PurePosixPath(top, name)), EPOCH)
            info.create_system = 3  # Unix, wherever it is made: then the permissions count
            info.external_attr = (REGULAR | mode_of(files[name])) << 16
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, files[name], compresslevel=9)
    return packed.getvalue()


def unzipped(packed: bytes, top: str = "") -> dict[str, bytes]:
    """The files of a zip that ``zipped`` made, by their paths below ``top``."""
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        return {PurePosixPath(n).relative_to(top).as_posix(): archive.read(n) for n in archive.namelist()}


def mode_of(data: bytes) -> int:
    """The permissions of a file with this content."""
    return EXECUTABLE if data.startswith(b"#!") else PLAIN


def write_below(folder: Path, files: Files) -> None:
    """Write ``files`` below ``folder``."""
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        path.chmod(mode_of(data))


def make_folder(folder: Path) -> None:
    """A folder for handouts. Raises UsageError when it cannot be made."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"cannot make the folder {folder}: {error.strerror}; give another --into") from None


def replace_folder(folder: Path, files: Files, precious: str) -> None:
    """Put ``files`` in place of the folder that an earlier run left.

    Raises UsageError, and leaves all as it was, where somebody worked in it: another file is there, or the one named
    ``precious`` is not the handout's.
    """
    _refuse_to_lose(folder, files, precious)
    draft = folder.with_name(f".{folder.name}.{secrets.token_hex(4)}")
    old = draft.with_name(f"{draft.name}-old")
    try:
        write_below(draft, files)
        if folder.exists():
            folder.rename(old)
        draft.rename(folder)
    except OSError as error:
        raise UsageError(f"cannot write {folder}: {error.strerror}") from None
    finally:
        for leftover in (draft, old):
            shutil.rmtree(leftover, ignore_errors=True)


def _refuse_to_lose(folder: Path, files: Files, precious: str) -> None:
    if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
        raise UsageError(f"cannot write {folder}: it is not a folder; remove it, or give another --into")
    found = (path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    names = {path.relative_to(folder).as_posix() for path in found}
    strange = sorted(names - files.keys())
    if precious in names and (folder / precious).read_bytes() != files[precious]:
        strange.insert(0, precious)
    if strange:
        raise UsageError(f"{folder} holds {strange[0]}, which this handout would overwrite; move the folder away")
