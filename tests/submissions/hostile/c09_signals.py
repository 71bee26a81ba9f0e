# attack: C09 signals a process of the same user, the grader and its group
# side effect: a process is killed
# expect: score <= 0
import os
import signal

ATTEMPTS = (
    lambda: os.kill(47013, signal.SIGTERM),
    lambda: signal.pidfd_send_signal(os.pidfd_open(47013), signal.SIGKILL),
    lambda: os.killpg(os.getpgid(os.getppid()), signal.SIGTERM),
    lambda: os.kill(os.getppid(), signal.SIGKILL),
)
for attempt in ATTEMPTS:
    try:
        attempt()
    except OSError:
        pass
