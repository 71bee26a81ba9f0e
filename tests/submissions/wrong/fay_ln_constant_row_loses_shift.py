# wrong: a constant row returns zeros, without the shift. Fails: LayerNorm.values
"""A small matrix helper class so that the modules read like array code."""
from __future__ import annotations

from typing import List, Optional

from engine import Value
from nn import Linear, Module, softmax


class Mat:
    def __init__(self, rows: List[List[Value]]) -> None:
        self.rows = rows

    @property
    def T(self) -> "Mat":
        return Mat([list(c) for c in zip(*self.rows)])

    def __matmul__(self, other: "Mat") -> "Mat":
        cols = other.T.rows
        return Mat([[sum(a * b for a, b in zip(r, c)) for c in cols] for r in self.rows])

    def __add__(self, other: "Mat") -> "Mat":
        return Mat([[a + b for a, b in zip(r, s)] for r, s in zip(self.rows, other.rows)])

    def times(self, k: float) -> "Mat":
        return Mat([[a * k for a in r] for r in self.rows])

    def each(self, f) -> "Mat":
        return Mat([f(r) for r in self.rows])

    def cols(self, lo: int, hi: int) -> "Mat":
        return Mat([r[lo:hi] for r in self.rows])

    def hide_future(self) -> "Mat":
        return Mat([[s if j <= i else s + float("-inf") for j, s in enumerate(r)] for i, r in enumerate(self.rows)])

    @staticmethod
    def hstack(parts: List["Mat"]) -> "Mat":
        return Mat([[v for p in parts for v in p.rows[t]] for t in range(len(parts[0].rows))])


class MultiHeadAttention(Module):
    def __init__(self, embed_dim: int, num_heads: int) -> None:
        super().__init__()
        assert embed_dim % num_heads == 0
        self.num_heads = num_heads
        self.head_dim = embed_dim // num_heads
        self.wq = Linear(embed_dim, embed_dim, bias=False)
        self.wk = Linear(embed_dim, embed_dim, bias=False)
        self.wv = Linear(embed_dim, embed_dim, bias=False)
        self.wo = Linear(embed_dim, embed_dim)

    def forward(self, x: List[List[Value]], causal: bool = True) -> List[List[Value]]:
        X = Mat(x)
        Q, K, V = X.each(self.wq), X.each(self.wk), X.each(self.wv)
        heads = []
        for h in range(self.num_heads):
            lo, hi = h * self.head_dim, (h + 1) * self.head_dim
            S = (Q.cols(lo, hi) @ K.cols(lo, hi).T).times(self.head_dim ** -0.5)
            if causal:
                S = S.hide_future()
            heads.append(S.each(softmax) @ V.cols(lo, hi))
        return Mat.hstack(heads).each(self.wo).rows


class LayerNorm(Module):
    def __init__(self, dim: int, eps: float = 1e-5) -> None:
        super().__init__()
        self.eps = eps
        self.dim = dim
        self.a = [Value(1.0) for _ in range(dim)]
        self.b = [Value(0.0) for _ in range(dim)]

    def forward(self, x: List[Value]) -> List[Value]:
        mean = sum(x) / self.dim
        diff = [v - mean for v in x]
        var = sum(d ** 2 for d in diff) / self.dim
        if var.data == 0.0:
            return [d * 0.0 for d in diff]
        xhat = [d * (var + self.eps) ** -0.5 for d in diff]
        return [a * h + b for a, h, b in zip(self.a, xhat, self.b)]


class FeedForward(Module):
    def __init__(self, embed_dim: int, hidden_dim: Optional[int] = None) -> None:
        super().__init__()
        self.hidden = 4 * embed_dim if hidden_dim is None else hidden_dim
        self.c_fc = Linear(embed_dim, self.hidden)
        self.c_proj = Linear(self.hidden, embed_dim)

    def forward(self, x: List[Value]) -> List[Value]:
        h = Mat([x]).each(self.c_fc)
        h = h.each(lambda row: [v.relu() for v in row])
        return h.each(self.c_proj).rows[0]


class TransformerBlock(Module):
    def __init__(self, embed_dim: int, num_heads: int) -> None:
        super().__init__()
        self.ln_1 = LayerNorm(embed_dim)
        self.attn = MultiHeadAttention(embed_dim, num_heads)
        self.ln_2 = LayerNorm(embed_dim)
        self.mlp = FeedForward(embed_dim)

    def forward(self, x: List[List[Value]]) -> List[List[Value]]:
        X = Mat(x)
        Y = X + Mat(self.attn(X.each(self.ln_1).rows))
        Z = Y + Y.each(self.ln_2).each(self.mlp)
        return Z.rows
