# wrong: the second bias is kept in a dict, used, and not in parameters(). Fails: FeedForward.gradient
"""Everything from bare Values: no Linear anywhere."""
from __future__ import annotations

import random
from typing import List, Optional

from engine import Value
from nn import Module

Matrix = List[List[Value]]


def rand_matrix(n_in: int, n_out: int) -> Matrix:
    bound = n_in ** -0.5
    return [[Value(random.uniform(-bound, bound)) for _ in range(n_out)] for _ in range(n_in)]


def matmul(a: Matrix, b: Matrix) -> Matrix:
    return [[sum(a[i][k] * b[k][j] for k in range(len(b))) for j in range(len(b[0]))] for i in range(len(a))]


def transpose(a: Matrix) -> Matrix:
    return [list(col) for col in zip(*a)]


def row_softmax(row: List[Value]) -> List[Value]:
    top = max(v.data for v in row)
    e = [(v - top).exp() for v in row]
    total = sum(e)
    return [v / total for v in e]


class MultiHeadAttention(Module):
    def __init__(self, embed_dim: int, num_heads: int) -> None:
        super().__init__()
        assert embed_dim % num_heads == 0
        self.h, self.d = num_heads, embed_dim // num_heads
        self.wq = [rand_matrix(embed_dim, self.d) for _ in range(num_heads)]
        self.wk = [rand_matrix(embed_dim, self.d) for _ in range(num_heads)]
        self.wv = [rand_matrix(embed_dim, self.d) for _ in range(num_heads)]
        self.wo = rand_matrix(embed_dim, embed_dim)

    def forward(self, x: Matrix, causal: bool = True) -> Matrix:
        n = len(x)
        cat: Matrix = [[] for _ in range(n)]
        for h in range(self.h):
            q, k, v = matmul(x, self.wq[h]), matmul(x, self.wk[h]), matmul(x, self.wv[h])
            s = matmul(q, transpose(k))
            s = [[e * self.d ** -0.5 for e in row] for row in s]
            if causal:
                s = [[s[i][j] + (0.0 if j <= i else -1e9) for j in range(n)] for i in range(n)]
            a = [row_softmax(row) for row in s]
            o = matmul(a, v)
            for t in range(n):
                cat[t] += o[t]
        return matmul(cat, self.wo)


class LayerNorm(Module):
    def __init__(self, dim: int, eps: float = 1e-5) -> None:
        super().__init__()
        self.dim = dim
        self.eps = eps
        self.g = [Value(1.0) for _ in range(dim)]
        self.b = [Value(0.0) for _ in range(dim)]

    def forward(self, x: List[Value]) -> List[Value]:
        m = sum(x) / self.dim
        var = sum((v - m) * (v - m) for v in x) / self.dim
        out = []
        for i in range(self.dim):
            n = (x[i] - m) / ((var + self.eps) ** 0.5)
            out.append(self.g[i] * n + self.b[i])
        return out


class FeedForward(Module):
    def __init__(self, embed_dim: int, hidden_dim: Optional[int] = None) -> None:
        super().__init__()
        hidden_dim = 4 * embed_dim if hidden_dim is None else hidden_dim
        self.w1 = rand_matrix(embed_dim, hidden_dim)
        self.b1 = [Value(0.0) for _ in range(hidden_dim)]
        self.w2 = rand_matrix(hidden_dim, embed_dim)
        self.extra = {"b2": [Value(0.0) for _ in range(embed_dim)]}

    def forward(self, x: List[Value]) -> List[Value]:
        pre = matmul([x], self.w1)[0]
        act = [(p + b).relu() for p, b in zip(pre, self.b1)]
        post = matmul([act], self.w2)[0]
        return [p + b for p, b in zip(post, self.extra["b2"])]


class TransformerBlock(Module):
    def __init__(self, embed_dim: int, num_heads: int) -> None:
        super().__init__()
        self.ln_1 = LayerNorm(embed_dim)
        self.mha = MultiHeadAttention(embed_dim, num_heads)
        self.ln_2 = LayerNorm(embed_dim)
        self.ff = FeedForward(embed_dim)

    def forward(self, x: Matrix) -> Matrix:
        att = self.mha([self.ln_1(r) for r in x], True)
        y = [[x[t][c] + att[t][c] for c in range(len(x[t]))] for t in range(len(x))]
        out = []
        for row in y:
            f = self.ff(self.ln_2(row))
            out.append([row[c] + f[c] for c in range(len(row))])
        return out
