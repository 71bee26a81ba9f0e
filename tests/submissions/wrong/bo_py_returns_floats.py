# wrong: LayerNorm hands back plain floats instead of Values. Fails: LayerNorm.contract
from __future__ import annotations

import random
from typing import List, Optional

from engine import Value
from nn import Module, softmax


def rand_matrix(n_out, n_in):
    bound = 1.0 / n_in ** 0.5
    W = []
    for o in range(n_out):
        row = []
        for i in range(n_in):
            row.append(Value(random.uniform(-bound, bound)))
        W.append(row)
    return W


def zeros(n):
    return [Value(0.0) for _ in range(n)]


def inner(a, b):
    assert len(a) == len(b)
    total = a[0] * b[0]
    for i in range(1, len(a)):
        total = total + a[i] * b[i]
    return total


def matvec(W, b, x):
    # W is [out][in]
    y = []
    for o in range(len(W)):
        y.append(inner(W[o], x) + b[o])
    return y


class MultiHeadAttention(Module):
    def __init__(self, embed_dim: int, num_heads: int) -> None:
        super().__init__()
        assert embed_dim % num_heads == 0
        self.D = embed_dim
        self.H = num_heads
        self.d = embed_dim // num_heads
        self.wq = rand_matrix(embed_dim, embed_dim)
        self.bq = zeros(embed_dim)
        self.wk = rand_matrix(embed_dim, embed_dim)
        self.bk = zeros(embed_dim)
        self.wv = rand_matrix(embed_dim, embed_dim)
        self.bv = zeros(embed_dim)
        self.wo = rand_matrix(embed_dim, embed_dim)
        self.bo = zeros(embed_dim)

    def forward(self, x: List[List[Value]], causal: bool = True) -> List[List[Value]]:
        T = len(x)
        q = [matvec(self.wq, self.bq, row) for row in x]
        k = [matvec(self.wk, self.bk, row) for row in x]
        v = [matvec(self.wv, self.bv, row) for row in x]
        scale = 1.0 / self.d ** 0.5
        merged = [[] for _ in range(T)]
        for h in range(self.H):
            lo, hi = h * self.d, (h + 1) * self.d
            for i in range(T):
                logits = []
                for j in range(T):
                    s = inner(q[i][lo:hi], k[j][lo:hi]) * scale
                    if causal and j > i:
                        s = s + float("-inf")
                    logits.append(s)
                p = softmax(logits)
                for c in range(lo, hi):
                    acc = p[0] * v[0][c]
                    for j in range(1, T):
                        acc = acc + p[j] * v[j][c]
                    merged[i].append(acc)
        return [matvec(self.wo, self.bo, row) for row in merged]


class LayerNorm(Module):
    def __init__(self, dim: int, eps: float = 1e-5) -> None:
        super().__init__()
        self.eps = eps
        self.g = [Value(1.0) for _ in range(dim)]
        self.b = zeros(dim)

    def forward(self, x: List[Value]) -> List[Value]:
        n = len(x)
        mu = sum(x) * (1.0 / n)
        d = [v - mu for v in x]
        var = inner(d, d) * (1.0 / n)
        r = (var + self.eps) ** -0.5
        out = []
        for i in range(n):
            out.append(round((d[i] * r * self.g[i] + self.b[i]).data, 6))
        return out


class FeedForward(Module):
    def __init__(self, embed_dim: int, hidden_dim: Optional[int] = None) -> None:
        super().__init__()
        if hidden_dim is None:
            hidden_dim = embed_dim * 4
        self.w1 = rand_matrix(hidden_dim, embed_dim)
        self.b1 = zeros(hidden_dim)
        self.w2 = rand_matrix(embed_dim, hidden_dim)
        self.b2 = zeros(embed_dim)

    def forward(self, x: List[Value]) -> List[Value]:
        h = [u.relu() for u in matvec(self.w1, self.b1, x)]
        return matvec(self.w2, self.b2, h)


class TransformerBlock(Module):
    def __init__(self, embed_dim: int, num_heads: int) -> None:
        super().__init__()
        self.ln_a = LayerNorm(embed_dim)
        self.att = MultiHeadAttention(embed_dim, num_heads)
        self.ln_f = LayerNorm(embed_dim)
        self.ff = FeedForward(embed_dim)

    def forward(self, x: List[List[Value]]) -> List[List[Value]]:
        a = self.att([self.ln_a(r) for r in x])
        y = []
        for t in range(len(x)):
            y.append([x[t][c] + a[t][c] for c in range(len(x[t]))])
        z = []
        for r in y:
            f = self.ff(self.ln_f(r))
            z.append([r[c] + f[c] for c in range(len(r))])
        return z
