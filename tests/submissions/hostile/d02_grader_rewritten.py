# attack: D02 rewrites, empties, replaces and re-dates files of the grader and of its cache
# side effect: the grader is changed
# expect: score <= 0
import os

FOLDER = "/tmp/kit-attack/kit"
SOURCE, CACHE = f"{FOLDER}/grading.py", f"{FOLDER}/__pycache__/grading.pyc"


def write(path):
    with open(path, "w") as file:
        file.write("POINTS = 100\n")


ATTEMPTS = (
    lambda: write(SOURCE),
    lambda: write(CACHE),
    lambda: os.truncate(SOURCE, 0),
    lambda: os.chmod(SOURCE, 0o777),
    lambda: os.utime(SOURCE, (0, 0)),
    lambda: os.setxattr(SOURCE, "user.attack", b"1"),
    lambda: os.symlink(SOURCE, f"{FOLDER}/link.py"),
    lambda: os.link(SOURCE, f"{FOLDER}/hard.py"),
    lambda: os.mkdir(f"{FOLDER}/folder"),
    lambda: os.mkfifo(f"{FOLDER}/fifo"),
    lambda: os.rename(CACHE, f"{FOLDER}/moved.pyc"),
    lambda: os.unlink(SOURCE),
)
for attempt in ATTEMPTS:
    try:
        attempt()
    except OSError:
        pass
