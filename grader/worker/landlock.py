"""Files: of the whole file system only the standard library stays readable, and nothing writable. Linux 5.13 and newer.

Site packages lie inside the standard library's folder on many installations, and the kit may lie in them. So every
entry of that folder gets its own rule, but site packages get none; the folder itself may be listed, as imports need.
The system's shared libraries stay readable where a folder holds nothing else (Debian, Ubuntu): a stray
`from tkinter import W`, which editors like to add, works there as it does at home.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import struct
import sys

import kernel

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446  # the same numbers on every machine
READ_FILE, READ_DIR = 1 << 2, 1 << 3
ABI_ONLY, PATH_BENEATH, QUIET = 1, 1, 1
FIRST_ABI_BITS = {1: 13, 2: 14, 3: 15, 5: 16}  # how many kinds of file access an ABI knows, from this one on
TCP, SCOPES = 0b11, 0b11  # bind and connect, from ABI 4; abstract sockets and signals, from ABI 6


def confine(library: list[str]) -> str:
    """Give up all files but those in the library's folders, for ever; returns what the kernel can do, in words."""
    abi, ruleset = _made_ahead.pop() if _made_ahead else _ruleset(library)
    kernel.syscall(RESTRICT_SELF, ruleset, QUIET if abi >= 7 else 0)  # quiet: a refusal is no news for the system log
    os.close(ruleset)
    return f"ABI {abi}"


_made_ahead: list[tuple[int, int]] = []


def prepare(library: list[str]) -> None:
    """Make the rules, for forks of this process to confine themselves with."""
    _made_ahead.append(_ruleset(library))


def forget() -> None:
    """Close rules that nobody will use: whoever holds them could add to them, for the next fork too."""
    while _made_ahead:
        os.close(_made_ahead.pop()[1])


def _ruleset(library: list[str]) -> tuple[int, int]:
    """What the kernel can do, and the descriptor of the rules."""
    abi = kernel.syscall(CREATE_RULESET, 0, 0, ABI_ONLY)
    bits = max(bits for first, bits in FIRST_ABI_BITS.items() if first <= abi)
    handled = struct.pack("=QQQ", (1 << bits) - 1, TCP if abi >= 4 else 0, SCOPES if abi >= 6 else 0)
    buffer = ctypes.create_string_buffer(handled, len(handled))
    ruleset = kernel.syscall(CREATE_RULESET, ctypes.addressof(buffer), len(handled), 0)
    for folder in library:
        with contextlib.suppress(FileNotFoundError, NotADirectoryError):  # the path names a zip file that few have
            _allow_library(ruleset, folder)
    for parent in ("/lib", "/usr/lib"):
        _allow(ruleset, f"{parent}/{getattr(sys.implementation, '_multiarch', '-')}", READ_FILE | READ_DIR)
    return abi, ruleset


def _allow_library(ruleset: int, folder: str) -> None:
    _allow(ruleset, folder, READ_DIR)
    with os.scandir(folder) as entries:
        for entry in entries:
            if not entry.name.endswith("-packages"):
                _allow(ruleset, entry.path, READ_FILE | READ_DIR if entry.is_dir() else READ_FILE)


def _allow(ruleset: int, path: str, access: int) -> None:
    try:
        descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return  # not there, or not for this user: nothing to allow
    rule = ctypes.create_string_buffer(struct.pack("=Qi", access, descriptor))
    kernel.syscall(ADD_RULE, ruleset, PATH_BENEATH, ctypes.addressof(rule), 0)
    os.close(descriptor)
