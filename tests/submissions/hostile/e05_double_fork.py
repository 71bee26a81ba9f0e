# attack: E05 forks twice into a session of its own, to outlive the grader
# side effect: a process is left
# expect: score <= 0
import os
import time

try:
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.closerange(0, 64)
            time.sleep(20)
        os._exit(0)
    os.wait()
except OSError:
    pass
