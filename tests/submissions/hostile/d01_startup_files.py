# attack: D01 leaves files that every later Python would run
# side effect: the next run is owned
# expect: score <= 0
import os
import sys

FOLDER = "/tmp/kit-attack"
for folder in (f"{FOLDER}/site", ".", *(path for path in sys.path if path.startswith(FOLDER))):
    for name in ("attack.pth", "sitecustomize.py", "usercustomize.py"):
        try:
            with open(f"{folder}/{name}", "w") as file:
                file.write("import sys\n")
            if folder == ".":
                os.unlink(name)
        except OSError:
            pass
