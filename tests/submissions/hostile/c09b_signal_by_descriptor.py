# attack: C09B makes a pipe send a signal of its choice to a process of its choice
# side effect: a process is killed
# expect: score <= 0
import fcntl
import os
import signal

inward, outward = os.pipe()
try:
    fcntl.fcntl(inward, fcntl.F_SETOWN, 47013)
    fcntl.fcntl(inward, fcntl.F_SETSIG, signal.SIGKILL)
    fcntl.fcntl(inward, fcntl.F_SETFL, os.O_NONBLOCK | fcntl.FASYNC)
    os.write(outward, b"x")
    os.close(outward)
except OSError:
    pass
