# wrong: both shortcuts are averaged with the branch, (x + f(x)) / 2. Fails: TransformerBlock.residual
"""I wrote a mini ndarray so that the formulas look like the paper: softmax(Q @ K.T / sqrt(d)) @ V."""
from __future__ import annotations

import random
from typing import List, Optional

from engine import Value
from nn import Module


class Mat(list):
    """just enough of np.ndarray (2-D, elements are Values or floats)"""

    @property
    def T(self) -> Mat:
        return Mat(list(c) for c in zip(*self))

    @property
    def shape(self):
        return len(self), len(self[0])

    def __matmul__(self, other: Mat) -> Mat:
        cols = Mat(other).T
        return Mat([sum(a * b for a, b in zip(r, c)) for c in cols] for r in self)

    def __add__(self, other) -> Mat:
        # a single row is broadcast over all rows
        rows = other if isinstance(other[0], list) else [other] * len(self)
        return Mat([a + b for a, b in zip(r, s)] for r, s in zip(self, rows))

    def __truediv__(self, c: float) -> Mat:
        return Mat([a / c for a in r] for r in self)

    def cut(self, lo: int, hi: int) -> Mat:
        """self[:, lo:hi]"""
        return Mat(r[lo:hi] for r in self)

    def tolist(self) -> List[List[Value]]:
        return [list(r) for r in self]


def hstack(mats) -> Mat:
    return Mat([v for r in rows for v in r] for rows in zip(*mats))


def tri(n: int) -> Mat:
    return Mat([0.0 if j <= i else -1e9 for j in range(n)] for i in range(n))


def softmax(a: Mat) -> Mat:
    """axis=-1"""
    out = Mat()
    for r in a:
        top = max(v.data for v in r)
        e = [(v - top).exp() for v in r]
        z = sum(e)
        out.append([v / z for v in e])
    return out


def uniform(n_in: int, n_out: int) -> Mat:
    k = n_in**-0.5
    return Mat([Value(random.uniform(-k, k)) for _ in range(n_out)] for _ in range(n_in))


def const(n: int, c: float) -> List[Value]:
    return [Value(c) for _ in range(n)]


class MultiHeadAttention(Module):
    def __init__(self, embed_dim: int, num_heads: int) -> None:
        super().__init__()
        assert embed_dim % num_heads == 0, "D % H"
        self.H, self.d = num_heads, embed_dim // num_heads
        self.Wq, self.bq = uniform(embed_dim, embed_dim), const(embed_dim, 0.0)
        self.Wk, self.bk = uniform(embed_dim, embed_dim), const(embed_dim, 0.0)
        self.Wv, self.bv = uniform(embed_dim, embed_dim), const(embed_dim, 0.0)
        self.Wo, self.bo = uniform(embed_dim, embed_dim), const(embed_dim, 0.0)

    def forward(self, x: List[List[Value]], causal: bool = True) -> List[List[Value]]:
        X = Mat(x)
        Q, K, V = X @ self.Wq + self.bq, X @ self.Wk + self.bk, X @ self.Wv + self.bv
        heads = []
        for h in range(self.H):
            lo, hi = h * self.d, (h + 1) * self.d
            q, k, v = Q.cut(lo, hi), K.cut(lo, hi), V.cut(lo, hi)
            S = q @ k.T / self.d**0.5
            if causal:
                S = S + tri(len(x))
            heads.append(softmax(S) @ v)
        return (hstack(heads) @ self.Wo + self.bo).tolist()


class LayerNorm(Module):
    def __init__(self, dim: int, eps: float = 1e-5) -> None:
        super().__init__()
        self.eps = eps
        self.gamma, self.beta = const(dim, 1.0), const(dim, 0.0)

    def forward(self, x: List[Value]) -> List[Value]:
        mu = sum(x) / len(x)
        xc = Mat([[v - mu for v in x]])
        var = (xc @ xc.T / len(x))[0][0]
        sigma = (var + self.eps) ** 0.5
        return [v / sigma * g + b for v, g, b in zip(xc[0], self.gamma, self.beta)]


class FeedForward(Module):
    def __init__(self, embed_dim: int, hidden_dim: Optional[int] = None) -> None:
        super().__init__()
        if hidden_dim is None:
            hidden_dim = 4 * embed_dim
        self.W1, self.b1 = uniform(embed_dim, hidden_dim), const(hidden_dim, 0.0)
        self.W2, self.b2 = uniform(hidden_dim, embed_dim), const(embed_dim, 0.0)

    def forward(self, x: List[Value]) -> List[Value]:
        h = Mat([x]) @ self.W1 + self.b1
        h = Mat([v.relu() for v in r] for r in h)
        return (h @ self.W2 + self.b2).tolist()[0]


class TransformerBlock(Module):
    def __init__(self, embed_dim: int, num_heads: int) -> None:
        super().__init__()
        self.ln1, self.ln2 = LayerNorm(embed_dim), LayerNorm(embed_dim)
        self.mha = MultiHeadAttention(embed_dim, num_heads)
        self.ffn = FeedForward(embed_dim)

    def forward(self, x: List[List[Value]]) -> List[List[Value]]:
        Y = (Mat(x) + self.mha([self.ln1(r) for r in x])) / 2  # keep the scale
        Z = (Y + [self.ffn(self.ln2(r)) for r in Y]) / 2
        return Z.tolist()
