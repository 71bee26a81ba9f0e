# attack: A01 opens the reference by its place beside the worker and runs it as its own
# side effect: none, but full marks
# expect: score <= 0
import os
import sys


def kit():
    """The kit's folder, as the worker's own path tells it."""
    worker = sys.modules["__main__"].__file__
    return os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(worker))))


for path in (kit() + "/solution/transformer_block.py", "solution/transformer_block.py", "../solution/transformer_block.py"):
    try:
        with open(path) as solution:
            exec(compile(solution.read(), path, "exec"), globals())
        break
    except OSError:
        pass
