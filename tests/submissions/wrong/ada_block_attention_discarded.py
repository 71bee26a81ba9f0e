# wrong: the attention result is put into a variable that nobody reads, y is built from the normed rows. Fails: TransformerBlock.causality
from __future__ import annotations

from typing import List, Optional

from engine import Value
from nn import Linear, Module, softmax

NEG = -1e9


class MultiHeadAttention(Module):
    def __init__(self, embed_dim: int, num_heads: int) -> None:
        super().__init__()
        assert embed_dim % num_heads == 0, "embed_dim % num_heads must be 0"
        self.D = embed_dim
        self.H = num_heads
        self.d = embed_dim // num_heads
        self.wq = Linear(embed_dim, embed_dim)
        self.wk = Linear(embed_dim, embed_dim)
        self.wv = Linear(embed_dim, embed_dim)
        self.wo = Linear(embed_dim, embed_dim)

    def forward(self, x: List[List[Value]], causal: bool = True) -> List[List[Value]]:
        T = len(x)
        root = self.d**-0.25  # on both sides, so root * root = 1 / sqrt(d)
        q = []
        k = []
        v = []
        for row in x:
            q.append([a * root for a in self.wq(row)])
            k.append([a * root for a in self.wk(row)])
            v.append(self.wv(row))

        cat: List[List[Value]] = [[] for _ in range(T)]
        for h in range(self.H):
            lo = h * self.d
            hi = lo + self.d
            for i in range(T):
                logits = []
                for j in range(T):
                    s = Value(0.0)
                    for c in range(lo, hi):
                        s = s + q[i][c] * k[j][c]
                    if causal and j > i:
                        s = s + NEG
                    logits.append(s)
                p = softmax(logits)
                for c in range(lo, hi):
                    acc = Value(0.0)
                    for j in range(T):
                        acc = acc + p[j] * v[j][c]
                    cat[i].append(acc)

        out = []
        for row in cat:
            out.append(self.wo(row))
        return out


class LayerNorm(Module):
    def __init__(self, dim: int, eps: float = 1e-5) -> None:
        super().__init__()
        self.dim = dim
        self.eps = eps
        self.gain = [Value(1.0) for _ in range(dim)]
        self.offset = [Value(0.0) for _ in range(dim)]

    def forward(self, x: List[Value]) -> List[Value]:
        total = Value(0.0)
        for v in x:
            total = total + v
        mean = total / self.dim
        sq = Value(0.0)
        for v in x:
            sq = sq + (v - mean) * (v - mean)
        std = (sq / self.dim + self.eps) ** 0.5
        out = []
        for i in range(self.dim):
            out.append((x[i] - mean) / std * self.gain[i] + self.offset[i])
        return out


class FeedForward(Module):
    def __init__(self, embed_dim: int, hidden_dim: Optional[int] = None) -> None:
        super().__init__()
        if hidden_dim is None:
            hidden_dim = 4 * embed_dim
        self.first = Linear(embed_dim, hidden_dim)
        self.second = Linear(hidden_dim, embed_dim)

    def forward(self, x: List[Value]) -> List[Value]:
        hidden = []
        for v in self.first(x):
            hidden.append(v.relu())
        return self.second(hidden)


class TransformerBlock(Module):
    def __init__(self, embed_dim: int, num_heads: int) -> None:
        super().__init__()
        self.norm_a = LayerNorm(embed_dim)
        self.att = MultiHeadAttention(embed_dim, num_heads)
        self.norm_b = LayerNorm(embed_dim)
        self.ff = FeedForward(embed_dim)

    def forward(self, x: List[List[Value]]) -> List[List[Value]]:
        a = []
        for row in x:
            a.append(self.norm_a(row))
        att = self.att(a)
        y = []
        for t in range(len(att)):
            y.append([x[t][c] + a[t][c] for c in range(len(x[t]))])
        z = []
        for row in y:
            f = self.ff(self.norm_b(row))
            z.append([row[c] + f[c] for c in range(len(row))])
        return z
