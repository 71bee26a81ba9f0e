# wrong: rows beyond the sixteenth are lost. Fails: TransformerBlock.values
from __future__ import annotations

from typing import List, Optional

from engine import Value
from nn import Linear, Module, causal_mask, softmax

Mat = List[List[Value]]


def transpose(m: Mat) -> Mat:
    return [list(col) for col in zip(*m)]


def dot(a: List[Value], b: List[Value]) -> Value:
    acc = a[0] * b[0]
    for p, q in zip(a[1:], b[1:]):
        acc = acc + p * q
    return acc


def matmul(a: Mat, b: Mat) -> Mat:
    bt = transpose(b)
    return [[dot(row, col) for col in bt] for row in a]


def madd(a: Mat, b) -> Mat:
    return [[p + q for p, q in zip(ra, rb)] for ra, rb in zip(a, b)]


def mscale(a: Mat, c: float) -> Mat:
    return [[p * c for p in row] for row in a]


def cols(m: Mat, lo: int, hi: int) -> Mat:
    return [row[lo:hi] for row in m]


def hstack(ms: List[Mat]) -> Mat:
    out: Mat = [[] for _ in ms[0]]
    for m in ms:
        for t, row in enumerate(m):
            out[t].extend(row)
    return out


class MultiHeadAttention(Module):
    def __init__(self, embed_dim: int, num_heads: int) -> None:
        super().__init__()
        assert embed_dim % num_heads == 0
        self.D = embed_dim
        self.H = num_heads
        self.d = embed_dim // num_heads
        self.qkv = Linear(embed_dim, 3 * embed_dim)
        self.out = Linear(embed_dim, embed_dim)

    def forward(self, x: Mat, causal: bool = True) -> Mat:
        D, d = self.D, self.d
        fused = [self.qkv(row) for row in x]
        Q, K, V = cols(fused, 0, D), cols(fused, D, 2 * D), cols(fused, 2 * D, 3 * D)
        heads = []
        for h in range(self.H):
            lo, hi = h * d, h * d + d
            S = mscale(matmul(cols(Q, lo, hi), transpose(cols(K, lo, hi))), d ** -0.5)
            if causal:
                S = madd(S, causal_mask(len(x)))
            A = [softmax(row) for row in S]
            heads.append(matmul(A, cols(V, lo, hi)))
        return [self.out(row) for row in hstack(heads)]


class LayerNorm(Module):
    def __init__(self, dim: int, eps: float = 1e-5) -> None:
        super().__init__()
        self.dim, self.eps = dim, eps
        self.gamma = [Value(1.0) for _ in range(dim)]
        self.beta = [Value(0.0) for _ in range(dim)]

    def forward(self, x: List[Value]) -> List[Value]:
        mu = sum(x) / self.dim
        c = [v - mu for v in x]
        inv = (dot(c, c) / self.dim + self.eps) ** -0.5
        return [v * inv * g + b for v, g, b in zip(c, self.gamma, self.beta)]


class FeedForward(Module):
    def __init__(self, embed_dim: int, hidden_dim: Optional[int] = None) -> None:
        super().__init__()
        self.hidden_dim = 4 * embed_dim if hidden_dim is None else hidden_dim
        self.up = Linear(embed_dim, self.hidden_dim)
        self.down = Linear(self.hidden_dim, embed_dim)

    def forward(self, x: List[Value]) -> List[Value]:
        return self.down([v.relu() for v in self.up(x)])


class TransformerBlock(Module):
    def __init__(self, embed_dim: int, num_heads: int) -> None:
        super().__init__()
        self.ln_1 = LayerNorm(embed_dim)
        self.ln_2 = LayerNorm(embed_dim)
        self.attn = MultiHeadAttention(embed_dim, num_heads)
        self.ffn = FeedForward(embed_dim)

    def forward(self, x: Mat) -> Mat:
        y = madd(x, self.attn([self.ln_1(row) for row in x], causal=True))
        y = y[:16] if len(y) > 16 else y
        return madd(y, [self.ffn(self.ln_2(row)) for row in y])
