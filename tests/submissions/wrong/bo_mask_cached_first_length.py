# wrong: the mask is built on the first call and reused, so a longer sequence afterwards breaks. Fails: MultiHeadAttention.shape
from __future__ import annotations

from typing import List, Optional

from engine import Value
from nn import Linear, Module, apply_attention, attention_scores, causal_mask, softmax


class MultiHeadAttention(Module):
    """Heads take every H-th channel (strided instead of contiguous)."""

    def __init__(self, embed_dim: int, num_heads: int) -> None:
        assert embed_dim % num_heads == 0, "num_heads must divide embed_dim"
        super().__init__()
        self.embed_dim = embed_dim
        self.stride = num_heads
        self.head_dim = embed_dim // num_heads
        self.mask = None  # built on the first call, no need to build it again every time
        self.to_q = Linear(embed_dim, embed_dim, bias=False)
        self.to_k = Linear(embed_dim, embed_dim, bias=False)
        self.to_v = Linear(embed_dim, embed_dim, bias=True)
        self.to_out = Linear(embed_dim, embed_dim)

    def _attend(self, q: List[List[Value]], k: List[List[Value]], v: List[List[Value]], causal: bool):
        scores = attention_scores(q, k, self.head_dim)
        if causal:
            if self.mask is None:
                self.mask = causal_mask(len(q))
            for i, row in enumerate(scores):
                for j in range(len(row)):
                    row[j] = row[j] + self.mask[i][j]
        return apply_attention([softmax(row) for row in scores], v)

    def forward(self, x: List[List[Value]], causal: bool = True) -> List[List[Value]]:
        q = [self.to_q(r) for r in x]
        k = [self.to_k(r) for r in x]
        v = [self.to_v(r) for r in x]
        merged: List[List[Value]] = [list(r) for r in v]  # same size, every entry is replaced below
        for h in range(self.stride):
            own = slice(h, None, self.stride)
            head = self._attend([r[own] for r in q], [r[own] for r in k], [r[own] for r in v], causal)
            for t, row in enumerate(head):
                merged[t][own] = row
        return [self.to_out(r) for r in merged]


class LayerNorm(Module):
    def __init__(self, dim: int, eps: float = 1e-5) -> None:
        super().__init__()
        self.eps = eps
        self.w = [Value(0.0) for _ in range(dim)]  # factor is 1 + w
        self.b = [Value(0.0) for _ in range(dim)]

    def forward(self, x: List[Value]) -> List[Value]:
        mean = sum(x) / len(x)
        dev = [v - mean for v in x]
        var = sum(d ** 2 for d in dev) / len(x)
        inv = (var + self.eps) ** -0.5
        return [d * inv * (w + 1.0) + b for d, w, b in zip(dev, self.w, self.b)]


class FeedForward(Module):
    def __init__(self, embed_dim: int, hidden_dim: Optional[int] = None) -> None:
        super().__init__()
        width = hidden_dim if hidden_dim is not None else 4 * embed_dim
        self.expand = Linear(embed_dim, width)
        self.contract = Linear(width, embed_dim)

    def forward(self, x: List[Value]) -> List[Value]:
        return self.contract([u.relu() for u in self.expand(x)])


class TransformerBlock(Module):
    def __init__(self, embed_dim: int, num_heads: int) -> None:
        super().__init__()
        self.pre_attention = LayerNorm(embed_dim)
        self.attention = MultiHeadAttention(embed_dim, num_heads)
        self.pre_mlp = LayerNorm(embed_dim)
        self.mlp = FeedForward(embed_dim)

    def forward(self, x: List[List[Value]]) -> List[List[Value]]:
        attended = self.attention([self.pre_attention(r) for r in x])
        y = [[a + b for a, b in zip(r, s)] for r, s in zip(x, attended)]
        fed = [self.mlp(self.pre_mlp(r)) for r in y]
        return [[a + b for a, b in zip(r, s)] for r, s in zip(y, fed)]
