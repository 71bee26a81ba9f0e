# wrong: the channels for each head are popped off the rows of x, so the caller's rows are empty afterwards. Fails: MultiHeadAttention.contract
from engine import Value
from nn import Linear, Module, SelfAttention


class Head(SelfAttention):
    def take(self, x):
        """the next embed_dim channels of every row"""
        return [[row.pop(0) for _ in range(self.embed_dim)] for row in x]


class MultiHeadAttention(Module):
    def __init__(self, embed_dim, num_heads):
        super().__init__()
        assert embed_dim % num_heads == 0
        self.heads = [Head(embed_dim // num_heads) for _ in range(num_heads)]
        self.W_o = Linear(embed_dim, embed_dim)

    def forward(self, x, causal=True):
        parts = [head(head.take(x), causal) for head in self.heads]
        return [self.W_o(sum(rows, [])) for rows in zip(*parts)]


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
        self.ln1, self.ln2 = LayerNorm(embed_dim), LayerNorm(embed_dim)
        self.mha = MultiHeadAttention(embed_dim, num_heads)
        self.ffn = FeedForward(embed_dim)

    def forward(self, x):
        y = []
        for row, att in zip(x, self.mha([self.ln1(r) for r in x])):
            y.append([a + b for a, b in zip(row, att)])
        return [[a + b for a, b in zip(row, self.ffn(self.ln2(row)))] for row in y]
