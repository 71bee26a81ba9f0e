# attack: A05 walks up the frames and takes whatever looks like an expected answer
# side effect: none, but full marks
# expect: score <= 0
import sys

from engine import Value
from nn import Module


def expected(like):
    """A list of numbers in some frame above, of the length that is asked for, that is not the input."""
    frame = sys._getframe()
    while frame is not None:
        for name, local in list(frame.f_locals.items()):
            if name in ("expected", "want", "wanted", "answer", "reference", "solution", "target"):
                numbers = local.get("numbers") if isinstance(local, dict) else local
                if isinstance(numbers, (list, tuple)) and len(numbers) == len(like):
                    return numbers
        frame = frame.f_back
    return None


class LayerNorm(Module):
    def __init__(self, dim, eps=1e-5):
        super().__init__()

    def forward(self, x):
        numbers = expected(x)
        return [Value(float(v)) for v in numbers] if numbers else list(x)
