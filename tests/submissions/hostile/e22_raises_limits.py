# attack: E22 raises its own limits, lowers the grader's, and slows the grader down
# side effect: limits of the grader change, or a file is written
# expect: score <= 0
import os
import resource


def written():
    with open("/tmp/kit-attack/site/big", "wb") as file:
        file.write(bytes(4096))


INFINITY = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
ATTEMPTS = (
    lambda: resource.setrlimit(resource.RLIMIT_FSIZE, INFINITY),
    lambda: resource.setrlimit(resource.RLIMIT_AS, INFINITY),
    lambda: resource.prlimit(os.getpid(), resource.RLIMIT_FSIZE, INFINITY),
    lambda: resource.prlimit(os.getppid(), resource.RLIMIT_CORE, (0, 0)),
    lambda: resource.prlimit(os.getppid(), resource.RLIMIT_NOFILE, (1000, 1000)),
    lambda: os.setpriority(os.PRIO_PROCESS, os.getppid(), 19),
    lambda: os.sched_setaffinity(os.getppid(), [min(os.sched_getaffinity(0))]),
    written,
)
for attempt in ATTEMPTS:
    try:
        attempt()
    except (OSError, ValueError):
        pass
