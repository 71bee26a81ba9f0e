# wrong: every row also sees the row right after it, the slice end is one too far. Fails: MultiHeadAttention.causality
from operator import add, mul
from engine import Value
from nn import Linear, Module, softmax

dot = lambda u, v: sum(map(mul, u, v))
plus = lambda u, v: tuple(map(add, u, v))


class MultiHeadAttention(Module):
    def __init__(self, embed_dim, num_heads):
        super().__init__()
        assert not embed_dim % num_heads
        D, d = embed_dim, embed_dim // num_heads
        self.r = d ** -.5
        # one (q, k, v) per head, then one way back to D per head
        self.qkv = tuple(tuple(Linear(D, d, bias=False) for _ in "qkv") for _ in range(num_heads))
        self.back = tuple(Linear(d, D, bias=False) for _ in range(num_heads))

    def head(self, x, fs, causal):
        q, k, v = (tuple(tuple(f(r)) for r in x) for f in fs)
        for i, a in enumerate(q, 1):
            n = i + 1 if causal else len(x)
            w = softmax([dot(a, b) * self.r for b in k[:n]])
            yield tuple(dot(w, c) for c in zip(*v[:n]))

    def forward(self, x, causal=True):
        hs = [tuple(self.head(x, fs, causal)) for fs in self.qkv]
        out = ()
        for rows in zip(*hs):
            y = None
            for o, r in zip(self.back, rows):
                y = tuple(o(r)) if y is None else plus(y, o(r))
            out += (y,)
        return out


class LayerNorm(Module):
    def __init__(self, dim, eps=1e-5):
        super().__init__()
        self.e = eps
        self.g = tuple(Value(1) for _ in range(dim))
        self.b = tuple(Value(0) for _ in range(dim))

    def forward(self, x):
        n = len(x)
        m = sum(x) * (1 / n)
        c = tuple(v - m for v in x)
        s = (dot(c, c) * (1 / n) + self.e) ** -.5
        return tuple(v * s * g + b for v, g, b in zip(c, self.g, self.b))


class FeedForward(Module):
    def __init__(self, embed_dim, hidden_dim=None):
        super().__init__()
        h = 4 * embed_dim if hidden_dim is None else hidden_dim
        self.ab = Linear(embed_dim, h), Linear(h, embed_dim)

    def forward(self, x):
        a, b = self.ab
        return tuple(b(tuple(v.relu() for v in a(x))))


class TransformerBlock(Module):
    def __init__(self, embed_dim, num_heads):
        super().__init__()
        self.n = LayerNorm(embed_dim), LayerNorm(embed_dim)
        self.a = MultiHeadAttention(embed_dim, num_heads)
        self.f = FeedForward(embed_dim)

    def forward(self, x):
        p, q = self.n
        y = tuple(map(plus, x, self.a(tuple(map(p, x)))))
        return tuple(plus(r, self.f(q(r))) for r in y)
