# attack: D09 adds to the file from which later steps of a CI job take their environment
# side effect: later steps run with an environment of its choice
# expect: score <= 0
import os

paths = [os.environ.get("GITHUB_ENV"), "/tmp/kit-attack/github_env"]
try:
    with open(f"/proc/{os.getppid()}/environ", "rb") as file:
        paths += [part.partition("=")[2] for part in file.read().decode("latin-1").split("\0") if "GITHUB_" in part]
except OSError:
    pass
for path in paths:
    if path and path.startswith("/tmp/kit-attack"):
        try:
            with open(path, "a") as file:
                file.write("PYTHONPATH=/tmp/kit-attack\n")
        except OSError:
            pass
