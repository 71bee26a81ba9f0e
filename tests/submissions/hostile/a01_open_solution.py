# attack: A01 opens the reference by its place beside the worker and runs it as its own
# side effect: none, but full marks
# expect: score <= 0
import os
import sys


def kit():
    """The kit's folder, as the worker's own path tells it: its frame is still there."""
    frame = sys._getframe()
    while "asking" not in frame.f_globals:
        frame = frame.f_back
    return os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(frame.f_globals["__file__"]))))


for path in (kit() + "/solution/transformer_block.py", "../solution/transformer_block.py"):
    try:
        with open(path) as solution:
            exec(compile(solution.read(), path, "exec"), globals())
        break
    except OSError:
        pass
