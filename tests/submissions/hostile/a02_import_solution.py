# attack: A02 puts the kit's folder on the import path and imports the reference
# side effect: none, but full marks
# expect: score <= 0
import os
import sys


def kit():
    """The kit's folder, as the worker's own path tells it."""
    worker = sys.modules["__main__"].__file__
    return os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(worker))))


sys.path[:0] = [kit(), kit() + "/solution", kit() + "/exercise", ".", ".."]
try:
    from solution.transformer_block import *
except ImportError:
    try:
        sys.modules.pop("transformer_block")
        from readings import *
    except ImportError:
        pass
