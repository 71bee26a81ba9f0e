# wrong: K is reshaped to (d, T) where it should be transposed, so its numbers are dealt out to the wrong positions. Fails: MultiHeadAttention.values
"""Numpy-shaped thinking without numpy. Shapes are noted on every line:  T rows, D channels, H heads, d = D // H."""

from typing import List, Optional

from engine import Value
from nn import Linear, Module

NEG = -1e9


def T_(A):  # A.T
    return list(map(list, zip(*A)))


def at(A, B):  # A @ B
    BT = T_(B)
    return [[sum(a * b for a, b in zip(r, c)) for c in BT] for r in A]


def bat(As, Bs):  # batched A @ B over the leading (head) axis
    return [at(A, B) for A, B in zip(As, Bs)]


def reshape(A, n, m):  # A.reshape(n, m)
    flat = [a for r in A for a in r]
    return [flat[i * m:(i + 1) * m] for i in range(n)]


def split_heads(A, H):  # (T, D) -> (H, T, d)
    d = len(A[0]) // H
    return [[r[h * d:(h + 1) * d] for r in A] for h in range(H)]


def merge_heads(As):  # (H, T, d) -> (T, D)
    return [[a for A in As for a in A[t]] for t in range(len(As[0]))]


def softmax_rows(A):
    out = []
    for r in A:
        m = max(v.data for v in r)
        e = [(v - m).exp() for v in r]
        s = sum(e)
        out.append([ei / s for ei in e])
    return out


class MultiHeadAttention(Module):
    def __init__(self, embed_dim: int, num_heads: int):
        super().__init__()
        assert embed_dim % num_heads == 0
        self.H, self.d = num_heads, embed_dim // num_heads
        self.K = Linear(embed_dim, embed_dim)
        self.Q = Linear(embed_dim, embed_dim)
        self.V = Linear(embed_dim, embed_dim)
        self.O = Linear(embed_dim, embed_dim)

    def forward(self, x: List[List[Value]], causal: bool = True) -> List[List[Value]]:
        T = len(x)
        K = split_heads([self.K(r) for r in x], self.H)  # (H, T, d)
        Q = split_heads([self.Q(r) for r in x], self.H)  # (H, T, d)
        V = split_heads([self.V(r) for r in x], self.H)  # (H, T, d)
        KT = [reshape(Kh, self.d, T) for Kh in K]  # (H, d, T)
        S = bat(Q, KT)  # (H, T, T)
        S = [[[s * self.d ** -0.5 for s in r] for r in Sh] for Sh in S]
        if causal:
            S = [[[Sh[i][j] + (NEG if j > i else 0.0) for j in range(T)] for i in range(T)] for Sh in S]
        A = [softmax_rows(Sh) for Sh in S]  # (H, T, T)
        Y = merge_heads(bat(A, V))  # (T, D)
        return [self.O(r) for r in Y]


class LayerNorm(Module):
    def __init__(self, dim: int, eps: float = 1e-5):
        super().__init__()
        self.w = [Value(1.0) for _ in range(dim)]
        self.b = [Value(0.0) for _ in range(dim)]
        self.eps = eps

    def forward(self, x: List[Value]) -> List[Value]:
        n = len(x)
        mu = sum(x) / n
        c = [v - mu for v in x]
        var = at([c], T_([c]))[0][0] / n  # c @ c.T
        inv = (var + self.eps) ** -0.5
        return [ci * inv * wi + bi for ci, wi, bi in zip(c, self.w, self.b)]


class FeedForward(Module):
    def __init__(self, embed_dim: int, hidden_dim: Optional[int] = None):
        super().__init__()
        if hidden_dim is None:
            hidden_dim = embed_dim * 4
        self.W1 = Linear(embed_dim, hidden_dim)
        self.W2 = Linear(hidden_dim, embed_dim)

    def forward(self, x: List[Value]) -> List[Value]:
        h = self.W1(x)  # (4D,)
        h = [v.relu() for v in h]
        return self.W2(h)  # (D,)


class TransformerBlock(Module):
    def __init__(self, embed_dim: int, num_heads: int):
        super().__init__()
        self.mha = MultiHeadAttention(embed_dim, num_heads)
        self.ffn = FeedForward(embed_dim)
        self.lns = [LayerNorm(embed_dim), LayerNorm(embed_dim)]

    def forward(self, x: List[List[Value]]) -> List[List[Value]]:
        A = self.mha([self.lns[0](r) for r in x])  # (T, D)
        y = [[a + b for a, b in zip(r, s)] for r, s in zip(x, A)]
        F = [self.ffn(self.lns[1](r)) for r in y]  # (T, D)
        return [[a + b for a, b in zip(r, s)] for r, s in zip(y, F)]
