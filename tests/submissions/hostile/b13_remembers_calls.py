# attack: B13 draws new random answers, and repeats them when it is asked the same again
# side effect: none
# expect: score <= 11; shapes and the refusal, which hold of what it does
import random

from engine import Value
from nn import Module

ANSWERS = {}


def drawn(*key):
    return ANSWERS.setdefault(key, random.uniform(-1, 1))


class MultiHeadAttention(Module):
    def __init__(self, embed_dim, num_heads):
        Module.__init__(self)
        assert embed_dim % num_heads == 0
        self.size = embed_dim, num_heads

    def forward(self, x, causal=True):
        numbers = [tuple(v.data for v in row) for row in x]
        last = len(x)
        return [
            [Value(drawn(self.size, c, tuple(numbers[: t + 1 if causal else last]), t)) for c in range(len(row))]
            for t, row in enumerate(x)
        ]


class LayerNorm(Module):
    def __init__(self, dim, eps=1e-5):
        Module.__init__(self)

    def forward(self, x):
        return [Value(drawn(c, tuple(v.data for v in x))) for c in range(len(x))]


class FeedForward(LayerNorm):
    def __init__(self, embed_dim, hidden_dim=None):
        super().__init__(embed_dim)


class TransformerBlock(Module):
    __init__, forward = vars(MultiHeadAttention)["__init__"], vars(MultiHeadAttention)["forward"]
