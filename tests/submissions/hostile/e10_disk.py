# attack: E10 fills the disk with files small enough for any limit, 30 at most
# side effect: files are left
# expect: score <= 0
import os

for folder in ("/tmp/kit-attack", "/tmp/kit-attack/site", "/dev/shm"):
    for k in range(10):
        path = f"{folder}/many-{k}"
        if folder == "/dev/shm":
            path = f"/dev/shm/{os.path.basename('/tmp/kit-attack')}-{k}"
        try:
            with open(path, "wb") as file:
                file.write(bytes(1024))
        except OSError:
            pass
try:
    with open("empty", "wb"):
        pass
    os.unlink("empty")
except OSError:
    pass
