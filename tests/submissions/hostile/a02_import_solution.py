# attack: A02 puts the kit's folder on the import path and imports the reference
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


sys.path[:0] = [kit(), kit() + "/solution", kit() + "/exercise", ".", ".."]
try:
    from solution.transformer_block import *
except ImportError:
    try:
        sys.modules.pop("transformer_block")
        from readings import *
    except ImportError:
        pass
