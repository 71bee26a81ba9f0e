# attack: A06 reads the environment of the grader through /proc, and its own
# side effect: the grader's secret is told
# expect: score <= 0
import os

seen = " ".join(f"{name}={value}" for name, value in os.environ.items() if "SECRET" in name)
for path in (f"/proc/{os.getppid()}/environ", f"/proc/{os.getppid()}/cmdline", "/proc/self/environ", "/proc/1/environ"):
    try:
        with open(path, "rb") as file:
            parts = file.read(65536).decode("latin-1").split("\0")
        seen += " ".join(part for part in parts if "SECRET" in part)
    except OSError:
        pass
raise AssertionError(f"seen: {seen}")
