# attack: A01B reads the recorded numbers of the public seed and answers with them
# side effect: none, but the marks of recorded values
# expect: score <= 0
import gzip
import json
import os
import sys

from engine import Value
from nn import Module


def kit():
    """The kit's folder, as the worker's own path tells it: its frame is still there."""
    frame = sys._getframe()
    while "asking" not in frame.f_globals:
        frame = frame.f_back
    return os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(frame.f_globals["__file__"]))))


def recorded():
    """Answers of the first reading of LayerNorm, in the order in which they are asked."""
    try:
        with open(kit() + "/grader/recorded.json.gz", "rb") as file:
            data = json.loads(gzip.decompress(file.read()))
    except OSError:
        return []
    return [call for probe in data["expected"]["LayerNorm"]["0"] for call in probe]


ANSWERS = recorded()
NORM = [6.25]


if ANSWERS:

    class LayerNorm(Module):
        def __init__(self, dim, eps=1e-5):
            super().__init__()
            self.scale = [Value(1.0) for _ in range(dim)]
            self.shift = [Value(0.0) for _ in range(dim)]
            self.eps = eps

        def forward(self, x):
            # The recorded rows of this width; the one whose order of channels is the input's is meant.
            order = sorted(range(len(x)), key=lambda c: x[c].data)
            for row in ANSWERS:
                if len(row) == len(x) and sorted(range(len(row)), key=lambda c: row[c]) == order:
                    return [Value(v) + 0 * u for v, u in zip(row, x)]
            return [v * 0 for v in x]
