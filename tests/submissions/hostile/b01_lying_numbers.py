# attack: B01 answers with numbers that agree with everything
# side effect: none
# expect: score <= 0
from engine import Value
from nn import Module


class Agreeable(float):
    """Equal to all, smaller and larger than all, and as far from all as is wanted."""

    def __eq__(self, other):
        return True

    def __ne__(self, other):
        return False

    __lt__ = __le__ = __gt__ = __ge__ = __eq__
    __hash__ = float.__hash__

    def __sub__(self, other):
        return Agreeable(0.0)

    __rsub__ = __add__ = __radd__ = __mul__ = __rmul__ = __abs__ = __neg__ = lambda self, *_: Agreeable(0.0)

    def __float__(self):
        return Agreeable(0.0)


def agreeable():
    value = Value(0.0)
    value.data = value.grad = Agreeable(0.0)
    return value


class LayerNorm(Module):
    def __init__(self, dim, eps=1e-5):
        Module.__init__(self)
        self.scale = [agreeable() for _ in range(2 * dim)]

    def forward(self, x):
        return [agreeable() for _ in x]


class FeedForward(LayerNorm):
    pass


class MultiHeadAttention(Module):
    def __init__(self, embed_dim, num_heads):
        Module.__init__(self)

    def forward(self, x, causal=True):
        return [[agreeable() for _ in row] for row in x]


class TransformerBlock(Module):
    __init__, forward = vars(MultiHeadAttention)["__init__"], vars(MultiHeadAttention)["forward"]
