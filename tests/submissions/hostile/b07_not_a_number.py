# attack: B07 answers NaN, for which no difference is too large
# side effect: none
# expect: score <= 0
from engine import Value
from nn import Module

NAN = float("nan")


class LayerNorm(Module):
    def __init__(self, dim, eps=1e-5):
        Module.__init__(self)
        self.scale = [Value(NAN) for _ in range(2 * dim)]

    def forward(self, x):
        return [v * NAN for v in x]


class FeedForward(Module):
    def __init__(self, embed_dim, hidden_dim=None):
        Module.__init__(self)

    def forward(self, x):
        return [v * NAN for v in x]


class MultiHeadAttention(Module):
    def __init__(self, embed_dim, num_heads):
        Module.__init__(self)

    def forward(self, x, causal=True):
        return [[v * NAN for v in row] for row in x]


class TransformerBlock(Module):
    __init__, forward = vars(MultiHeadAttention)["__init__"], vars(MultiHeadAttention)["forward"]
