# wrong: eps is stored but the root uses a literal 1e-5. Fails: LayerNorm.values
"""Everything as small expressions on lists; masked keys are never looked at."""

from __future__ import annotations

from typing import List, Optional

from engine import Value
from nn import Linear, Module, softmax

Vec = List[Value]
Mat = List[Vec]


def dot(a: Vec, b: Vec) -> Value:
    return sum((u * v for u, v in zip(a, b)), Value(0.0))


def add(a: Vec, b: Vec) -> Vec:
    return [u + v for u, v in zip(a, b)]


class MultiHeadAttention(Module):
    def __init__(self, embed_dim: int, num_heads: int) -> None:
        super().__init__()
        assert embed_dim % num_heads == 0, "embed_dim must be divisible by num_heads"
        self.h, self.d = num_heads, embed_dim // num_heads
        self.qkv = Linear(embed_dim, 3 * embed_dim)
        self.proj = Linear(embed_dim, embed_dim)

    def forward(self, x: Mat, causal: bool = True) -> Mat:
        fused = [self.qkv(row) for row in x]
        heads = [self._attend([row[3 * self.d * h : 3 * self.d * (h + 1)] for row in fused], causal) for h in range(self.h)]
        return [self.proj([c for head in heads for c in head[t]]) for t in range(len(x))]

    def _attend(self, block: Mat, causal: bool) -> Mat:
        d = self.d
        q, k, v = ([row[n * d : (n + 1) * d] for row in block] for n in range(3))
        out = []
        for i, qi in enumerate(q):
            seen = i + 1 if causal else len(block)
            w = softmax([dot(qi, kj) * d**-0.5 for kj in k[:seen]])
            out.append([dot(w, list(col)) for col in zip(*v[:seen])])
        return out


class LayerNorm(Module):
    def __init__(self, dim: int, eps: float = 1e-5) -> None:
        super().__init__()
        self.eps = eps
        self.g, self.b = [Value(1.0) for _ in range(dim)], [Value(0.0) for _ in range(dim)]

    def forward(self, x: Vec) -> Vec:
        mu = sum(x) / len(x)
        var = sum((v - mu) ** 2 for v in x) / len(x)
        return [g * ((v - mu) / (var + 1e-5) ** 0.5) + b for g, v, b in zip(self.g, x, self.b)]


class FeedForward(Module):
    def __init__(self, embed_dim: int, hidden_dim: Optional[int] = None) -> None:
        super().__init__()
        hidden = 4 * embed_dim if hidden_dim is None else hidden_dim
        self.up, self.down = Linear(embed_dim, hidden), Linear(hidden, embed_dim)

    def forward(self, x: Vec) -> Vec:
        return self.down([u.relu() for u in self.up(x)])


class TransformerBlock(Module):
    def __init__(self, embed_dim: int, num_heads: int) -> None:
        super().__init__()
        self.n1, self.n2 = LayerNorm(embed_dim), LayerNorm(embed_dim)
        self.mha, self.ffn = MultiHeadAttention(embed_dim, num_heads), FeedForward(embed_dim)

    def forward(self, x: Mat) -> Mat:
        y = [add(r, a) for r, a in zip(x, self.mha([self.n1(r) for r in x]))]
        return [add(r, self.ffn(self.n2(r))) for r in y]
