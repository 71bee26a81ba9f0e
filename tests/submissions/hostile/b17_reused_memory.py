# attack: B17 searches the heap for rows of numbers that somebody computed before, and answers with them
# side effect: none
# expect: score <= 0
import gc

from engine import Value
from nn import Module


def left_over(x):
    """A list of floats of this length that is not the input."""
    given = [v.data for v in x]
    for thing in gc.get_objects():
        if type(thing) in (list, tuple) and len(thing) == len(x) and thing and type(thing[0]) is float:
            if "numbers" in str(gc.get_referrers(thing))[:200] and list(thing) != given:
                return thing
    return [0.0] * len(x)


class LayerNorm(Module):
    def __init__(self, dim, eps=1e-5):
        super().__init__()

    def forward(self, x):
        return [Value(v) for v in left_over(x)]
