# wrong: the block hands the columns of x to its first LayerNorm, so every channel is normalised over the positions. Fails: TransformerBlock.causality
"""np.something replaced by my own little functions, the shapes are what I would have in numpy."""
from __future__ import annotations

from typing import List, Optional

from engine import Value
from nn import Linear, Module


# tiny "numpy" ----------------------------------------------------------------
def zeros(n):
    return [Value(0.0) for _ in range(n)]


def full(shape, fn):
    rows, cols = shape
    return [[fn(i, j) for j in range(cols)] for i in range(rows)]


def einsum_td_sd_ts(a, b):
    """(T, d), (S, d) -> (T, S), that is a @ b.T"""
    return full((len(a), len(b)), lambda i, j: sum(u * v for u, v in zip(a[i], b[j])))


def einsum_ts_sd_td(a, b):
    """(T, S), (S, d) -> (T, d), that is a @ b"""
    return full((len(a), len(b[0])), lambda i, j: sum(a[i][s] * b[s][j] for s in range(len(b))))


def softmax_last(a):
    peak = [max(e.data for e in r) for r in a]
    num = [[(e - p).exp() for e in r] for r, p in zip(a, peak)]
    den = [sum(r) for r in num]
    return [[e / s for e in r] for r, s in zip(num, den)]


def T_(a):
    return [list(c) for c in zip(*a)]


# model ------------------------------------------------------------------------
class MultiHeadAttention(Module):
    def __init__(self, embed_dim: int, num_heads: int) -> None:
        super().__init__()
        if embed_dim % num_heads != 0:
            raise AssertionError(f"{embed_dim} % {num_heads} != 0")
        self.num_heads = num_heads
        self.wq = Linear(embed_dim, embed_dim)
        self.wk = Linear(embed_dim, embed_dim)
        self.wv = Linear(embed_dim, embed_dim)
        self.wo = Linear(embed_dim, embed_dim)

    def forward(self, x: List[List[Value]], causal: bool = True) -> List[List[Value]]:
        T, D, H = len(x), len(x[0]), self.num_heads
        d = D // H
        q = [self.wq(r) for r in x]
        k = [self.wk(r) for r in x]
        v = [self.wv(r) for r in x]
        y = full((T, D), lambda i, j: None)
        for h in range(H):
            qh, kh, vh = ([r[h::H] for r in m] for m in (q, k, v))  # each (T, d)
            s = einsum_td_sd_ts(qh, kh)
            s = [[e * (1.0 / d**0.5) for e in r] for r in s]
            if causal:
                s = full((T, T), lambda i, j: s[i][j] if j <= i else s[i][j] + float("-inf"))
            o = einsum_ts_sd_td(softmax_last(s), vh)
            for t in range(T):
                y[t][h::H] = o[t]
        return [self.wo(r) for r in y]


class LayerNorm(Module):
    def __init__(self, dim: int, eps: float = 1e-5) -> None:
        super().__init__()
        self.eps = eps
        self.w = zeros(dim)  # gamma - 1
        self.b = zeros(dim)

    def forward(self, x: List[Value]) -> List[Value]:
        n = len(x)
        mu = sum(x) / n
        var = sum((e - mu) ** 2 for e in x) / n
        xhat = [(e - mu) * (var + self.eps) ** -0.5 for e in x]
        return [e * (1 + w) + b for e, w, b in zip(xhat, self.w, self.b)]


class FeedForward(Module):
    def __init__(self, embed_dim: int, hidden_dim: Optional[int] = None) -> None:
        super().__init__()
        hidden_dim = 4 * embed_dim if hidden_dim is None else hidden_dim
        self.fc = Linear(embed_dim, hidden_dim, bias=False)
        self.proj = Linear(hidden_dim, embed_dim, bias=False)

    def forward(self, x: List[Value]) -> List[Value]:
        return self.proj([e.relu() for e in self.fc(x)])


class TransformerBlock(Module):
    def __init__(self, embed_dim: int, num_heads: int) -> None:
        super().__init__()
        self.ln_attn = LayerNorm(embed_dim)
        self.ln_ffn = LayerNorm(embed_dim)
        self.attn = MultiHeadAttention(embed_dim, num_heads)
        self.ffn = FeedForward(embed_dim)

    def forward(self, x: List[List[Value]]) -> List[List[Value]]:
        shape = (len(x), len(x[0]))
        a = self.attn(T_([self.ln_attn(c) for c in T_(x)]))
        y = full(shape, lambda t, c: x[t][c] + a[t][c])
        f = [self.ffn(self.ln_ffn(r)) for r in y]
        return full(shape, lambda t, c: y[t][c] + f[t][c])
