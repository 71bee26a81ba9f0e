# attack: E07 starts children until it is refused, 40 at most
# side effect: processes are left
# expect: score <= 0
import os
import subprocess
import time

for _ in range(40):
    try:
        if os.fork() == 0:
            os.setsid()
            time.sleep(10)
            os._exit(0)
    except OSError:
        break
for start in (lambda: subprocess.Popen(["/bin/sleep", "10"]), lambda: os.posix_spawn("/bin/sleep", ["sleep", "10"], {})):
    try:
        start()
    except OSError:
        pass
