# attack: E17 signals its own process group
# side effect: the grader is killed, if it is in the group
# expect: score <= 0
import os
import signal

try:
    os.kill(0, signal.SIGTERM)
except OSError:
    pass
