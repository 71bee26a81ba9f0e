"""The filter of system calls, run step by step as the kernel would: for machines that are not this one too."""

from __future__ import annotations

import importlib
import re
import struct
import sys
from pathlib import Path
from types import ModuleType

import pytest

WORKER = Path(__file__).parent.parent / "grader" / "worker"
HEADERS = {0: "x86_64-linux-gnu/asm/unistd_64.h", 1: "asm-generic/unistd.h"}
ALLOW, EPERM, ENOSYS = 0x7FFF0000, 0x00050001, 0x00050026
MACHINES = [("x86_64", 0xC000003E), ("aarch64", 0xC00000B7)]

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="seccomp is Linux's")


@pytest.fixture(name="seccomp")
def _seccomp(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The worker's module, found as the worker finds it."""
    monkeypatch.syspath_prepend(str(WORKER))
    return importlib.import_module("seccomp")


def _verdict(program: bytes, machine: int, number: int, second: int = 0) -> int:
    """What the kernel would do with one system call."""
    data = struct.pack("=IIQ6Q", number, machine, 0, 0, second, 0, 0, 0, 0)
    steps = list(struct.iter_unpack("=HBBI", program))
    at = value = 0
    while True:
        code, if_true, if_false, operand = steps[at]
        at += 1
        if code == 0x06:
            return int(operand)
        if code == 0x20:
            value = struct.unpack_from("=I", data, operand)[0]
        else:
            holds = value == operand if code == 0x15 else value >= operand
            at += if_true if holds else if_false


@pytest.mark.parametrize("machine", MACHINES)
def test_every_listed_call_is_refused_and_ordinary_ones_are_not(seccomp: ModuleType, machine: tuple[str, int]) -> None:
    """The filter of each machine refuses its own numbers, and lets reading, writing and ending through."""
    column, name = seccomp.MACHINES[machine[0]]
    program = seccomp.program("full", column, name)
    assert name == machine[1]
    assert {_verdict(program, name, number) for number in seccomp.numbers("full", column)} == {EPERM}
    ordinary = {0: (0, 1, 3, 9, 11, 60, 231), 1: (63, 64, 57, 222, 215, 93, 94)}[column]
    assert {_verdict(program, name, number) for number in ordinary} == {ALLOW}
    assert _verdict(program, name, 435) == ENOSYS


@pytest.mark.parametrize("machine", MACHINES)
def test_another_machines_numbers_are_refused(seccomp: ModuleType, machine: tuple[str, int]) -> None:
    """32-bit calls, and x32 calls on x86-64, do not slip through under numbers that mean something else."""
    column, name = seccomp.MACHINES[machine[0]]
    program = seccomp.program("full", column, name)
    assert _verdict(program, 0x40000003, 0) == EPERM
    assert column == 1 or _verdict(program, name, 0x40000000) == EPERM


@pytest.mark.parametrize("machine", MACHINES)
def test_a_descriptor_cannot_be_made_to_send_signals(seccomp: ModuleType, machine: tuple[str, int]) -> None:
    """Of fcntl only the commands that name a receiver or a signal, or change flags, are refused."""
    column, name = seccomp.MACHINES[machine[0]]
    program, fcntl = seccomp.program("full", column, name), seccomp.FCNTL[column]
    assert [command for command in range(20) if _verdict(program, name, fcntl, command) == EPERM] == [4, 8, 10, 15]


def test_levels_add_to_each_other(seccomp: ModuleType) -> None:
    """What a level refuses, the next refuses too."""
    for column in (0, 1):
        limits, files, full = (set(seccomp.numbers(level, column)) for level in ("limits", "files", "full"))
        assert limits < files < full


def test_the_numbers_are_those_of_the_kernels_headers(seccomp: ModuleType) -> None:
    """Where the kernel's headers are installed, every number that they have is the one in the list."""
    entries = [entry.split() for text in seccomp.REFUSED.values() for entry in text.split(",")]
    assert len(entries) == len({entry[0] for entry in entries})
    for column, header in HEADERS.items():
        path = Path("/usr/include") / header
        text = path.read_text(encoding="utf-8") if path.is_file() else ""
        real = dict(re.findall(r"#define __NR(?:3264)?_(\w+)\s+(\d+)", text))
        wrong = [entry for entry in entries if entry[0] in real and real[entry[0]] != entry[1 + column]]
        assert wrong == []
