# attack: A09 reads another student's hand-in by path, by symbolic link and by hard link
# side effect: the other's work is told
# expect: score <= 0
import os

FOLDER = "/tmp/kit-attack"
seen = ""
for link in (None, os.symlink, os.link):
    path = f"{FOLDER}/secret.txt"
    try:
        if link:
            link(path, "near.txt")
            path = "near.txt"
        with open(path) as file:
            seen += file.read()
        if link:
            os.unlink(path)
    except OSError:
        pass
try:
    os.chdir(FOLDER)
    with open("secret.txt") as file:
        seen += file.read()
except OSError:
    pass
raise AssertionError(f"seen: {seen}")
