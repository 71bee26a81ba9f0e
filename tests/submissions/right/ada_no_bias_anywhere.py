# right: no bias in any projection, fused q|k|v, everything as comprehensions
from __future__ import annotations
from typing import List, Optional
from engine import Value
from nn import Linear, Module, causal_mask, softmax


def chunk(row, n):
    """cut a list into n equal pieces"""
    size = len(row) // n
    return [row[i * size : (i + 1) * size] for i in range(n)]


def plus(A, B):
    return [[a + b for a, b in zip(ra, rb)] for ra, rb in zip(A, B)]


def matmul_t(A, B):
    """A @ B^T"""
    return [[sum(a * b for a, b in zip(ra, rb)) for rb in B] for ra in A]


def transpose(A):
    return [list(c) for c in zip(*A)]


class MultiHeadAttention(Module):
    def __init__(self, embed_dim: int, num_heads: int):
        super().__init__()
        assert embed_dim % num_heads == 0, "heads do not fit"
        self.num_heads = num_heads
        self.scale = (embed_dim // num_heads) ** -0.5
        self.in_proj = Linear(embed_dim, 3 * embed_dim, bias=False)
        self.out_proj = Linear(embed_dim, embed_dim, bias=False)

    def forward(self, x: List[List[Value]], causal: bool = True) -> List[List[Value]]:
        q, k, v = ([chunk(r, self.num_heads) for r in part] for part in zip(*[chunk(self.in_proj(r), 3) for r in x]))
        outs = [self.one_head(*([r[h] for r in part] for part in (q, k, v)), causal) for h in range(self.num_heads)]
        return [self.out_proj([c for o in outs for c in o[t]]) for t in range(len(x))]

    def one_head(self, q, k, v, causal):
        s = [[e * self.scale for e in row] for row in matmul_t(q, k)]
        s = plus(s, causal_mask(len(s))) if causal else s
        return matmul_t([softmax(row) for row in s], transpose(v))


class LayerNorm(Module):
    def __init__(self, dim: int, eps: float = 1e-5):
        super().__init__()
        self.eps = eps
        self.scale, self.shift = [Value(1.0) for _ in range(dim)], [Value(0.0) for _ in range(dim)]

    def forward(self, x: List[Value]) -> List[Value]:
        avg = lambda vs: sum(vs) / len(vs)
        m = avg(x)
        s = (avg([(v - m) ** 2 for v in x]) + self.eps) ** 0.5
        return [(v - m) / s * a + b for v, a, b in zip(x, self.scale, self.shift)]


class FeedForward(Module):
    def __init__(self, embed_dim: int, hidden_dim: Optional[int] = None):
        super().__init__()
        hidden_dim = hidden_dim if hidden_dim is not None else 4 * embed_dim
        self.w1 = Linear(embed_dim, hidden_dim, bias=False)
        self.w2 = Linear(hidden_dim, embed_dim, bias=False)

    def forward(self, x: List[Value]) -> List[Value]:
        return self.w2([h.relu() for h in self.w1(x)])


class TransformerBlock(Module):
    def __init__(self, embed_dim: int, num_heads: int):
        super().__init__()
        self.ln_1 = LayerNorm(embed_dim)
        self.attn = MultiHeadAttention(embed_dim, num_heads)
        self.ln_2 = LayerNorm(embed_dim)
        self.mlp = FeedForward(embed_dim)

    def forward(self, x: List[List[Value]]) -> List[List[Value]]:
        y = plus(x, self.attn([self.ln_1(r) for r in x]))
        return plus(y, [self.mlp(self.ln_2(r)) for r in y])
