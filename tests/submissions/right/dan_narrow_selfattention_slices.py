# right: every head is the given SelfAttention(head_dim) on its own slice of the channels, then one Linear(D, D)
"""My transformer block. Uses the SelfAttention we were given as the head."""

from engine import Value
from nn import Linear, Module, SelfAttention


def add(a, b):
    """a + b for two (T, D) tables"""
    return [[u + v for u, v in zip(ra, rb)] for ra, rb in zip(a, b)]


class MultiHeadAttention(Module):
    def __init__(self, embed_dim, num_heads):
        assert embed_dim % num_heads == 0
        super().__init__()
        self.num_heads = num_heads
        self.head_dim = embed_dim // num_heads
        self.heads = [SelfAttention(self.head_dim) for h in range(num_heads)]
        self.W_o = Linear(embed_dim, embed_dim)

    def forward(self, x, causal=True):
        d = self.head_dim
        concat = [[] for _ in x]
        for h, head in enumerate(self.heads):
            piece = [row[h * d:(h + 1) * d] for row in x]  # (T, d)
            for t, out_row in enumerate(head(piece, causal=causal)):
                concat[t] = concat[t] + out_row
        return [self.W_o(row) for row in concat]


class LayerNorm(Module):
    def __init__(self, dim, eps=1e-5):
        super().__init__()
        self.dim = dim
        self.eps = eps
        self.scale = [Value(1.0) for i in range(dim)]
        self.shift = [Value(0.0) for i in range(dim)]

    def forward(self, x):
        # Welford: mean and sum of squares in one go
        mean = Value(0.0)
        m2 = Value(0.0)
        for n, xi in enumerate(x, start=1):
            delta = xi - mean
            mean = mean + delta * (1.0 / n)
            m2 = m2 + delta * (xi - mean)
        std = (m2 / self.dim + self.eps) ** 0.5
        return [(x[i] - mean) / std * self.scale[i] + self.shift[i] for i in range(self.dim)]


class FeedForward(Module):
    def __init__(self, embed_dim, hidden_dim=None):
        super().__init__()
        hidden = 4 * embed_dim if hidden_dim is None else hidden_dim
        self.layers = [Linear(embed_dim, hidden), Linear(hidden, embed_dim)]

    def forward(self, x):
        for n, layer in enumerate(self.layers):
            x = layer(x)
            if n == 0:
                x = [v.relu() for v in x]
        return x


class TransformerBlock(Module):
    def __init__(self, embed_dim, num_heads):
        super().__init__()
        self.norms = [LayerNorm(embed_dim), LayerNorm(embed_dim)]
        self.mha = MultiHeadAttention(embed_dim, num_heads)
        self.ffn = FeedForward(embed_dim)

    def forward(self, x):
        before, after = self.norms
        y = add(x, self.mha([before(r) for r in x]))
        z = add(y, [self.ffn(after(r)) for r in y])
        return z
