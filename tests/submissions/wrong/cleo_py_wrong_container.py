# wrong: MultiHeadAttention returns a map object instead of a list of rows. Fails: MultiHeadAttention.shape
from engine import Value as V
from nn import Module, Linear as L, softmax as S

R = range
dot = lambda a, b: sum(p * q for p, q in zip(a, b))
add = lambda A, B: [[p + q for p, q in zip(a, b)] for a, b in zip(A, B)]


class MultiHeadAttention(Module):
    def __init__(s, embed_dim, num_heads):
        super().__init__()
        assert embed_dim % num_heads < 1
        s.d = embed_dim // num_heads
        s.q, s.k, s.v, s.o = (L(embed_dim, embed_dim) for _ in R(4))

    def forward(s, x, causal=True):
        q, k, v = ([f(r) for r in x] for f in (s.q, s.k, s.v))
        d, C = s.d, []
        for i in R(len(x)):
            n, c = i + 1 if causal else len(x), []
            for a in R(0, len(x[0]), d):
                z = slice(a, a + d)
                w = S([dot(q[i][z], r[z]) / d ** .5 for r in k[:n]])
                c += [dot(w, u) for u in zip(*(r[z] for r in v[:n]))]
            C += [c]
        return map(s.o, C)


class LayerNorm(Module):
    def __init__(s, dim, eps=1e-5):
        super().__init__()
        s.g, s.b, s.e = [V(1) for _ in R(dim)], [V(0) for _ in R(dim)], eps

    def forward(s, x):
        n = len(x)
        m = sum(x) / n
        c = [a - m for a in x]
        r = (dot(c, c) / n + s.e) ** -.5
        return [a * r * g + b for a, g, b in zip(c, s.g, s.b)]


class FeedForward(Module):
    def __init__(s, embed_dim, hidden_dim=None):
        super().__init__()
        h = embed_dim * 4 if hidden_dim is None else hidden_dim
        s.i, s.o = L(embed_dim, h), L(h, embed_dim)

    def forward(s, x):
        return s.o([a.relu() for a in s.i(x)])


class TransformerBlock(Module):
    def __init__(s, embed_dim, num_heads):
        super().__init__()
        s.n, s.m = LayerNorm(embed_dim), LayerNorm(embed_dim)
        s.a, s.f = MultiHeadAttention(embed_dim, num_heads), FeedForward(embed_dim)

    def forward(s, x):
        x = add(x, s.a([s.n(r) for r in x]))
        x = add(x, [s.f(s.m(r)) for r in x])
        return x
