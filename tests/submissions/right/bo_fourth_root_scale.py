# right: the scale split as a fourth root on q and a fourth root on k, a Head class, feed-forward layers walked in a list, ReLU by condition
from __future__ import annotations

from typing import List, Optional

import nn
from engine import Value

Row = List[Value]
Rows = List[Row]


class Head(nn.Module):
    def __init__(self, embed_dim: int, head_dim: int) -> None:
        super().__init__()
        self.root = head_dim ** -0.25  # on q and on k: together 1/sqrt(head_dim)
        self.q = nn.Linear(embed_dim, head_dim)
        self.k = nn.Linear(embed_dim, head_dim)
        self.v = nn.Linear(embed_dim, head_dim)

    def forward(self, x: Rows, causal: bool) -> Rows:
        qs = [[c * self.root for c in self.q(row)] for row in x]
        ks = [[c * self.root for c in self.k(row)] for row in x]
        vs = [self.v(row) for row in x]
        mixed = []
        for i, query in enumerate(qs):
            keys, values = (ks[: i + 1], vs[: i + 1]) if causal else (ks, vs)
            attention = nn.softmax([sum(a * b for a, b in zip(query, key)) for key in keys])
            mixed.append([sum(p * c for p, c in zip(attention, column)) for column in zip(*values)])
        return mixed


class MultiHeadAttention(nn.Module):
    def __init__(self, embed_dim: int, num_heads: int) -> None:
        super().__init__()
        assert embed_dim % num_heads == 0
        self.heads = tuple(Head(embed_dim, embed_dim // num_heads) for _ in range(num_heads))
        self.mix = nn.Linear(embed_dim, embed_dim)

    def forward(self, x: Rows, causal: bool = True) -> Rows:
        per_head = [head(x, causal) for head in self.heads]
        return [self.mix([c for part in parts for c in part]) for parts in zip(*per_head)]


class LayerNorm(nn.Module):
    def __init__(self, dim: int, eps: float = 1e-5) -> None:
        super().__init__()
        self.dim, self.eps = dim, eps
        self.gain = [Value(1.0) for _ in range(dim)]
        self.offset = [Value(0.0) for _ in range(dim)]

    def forward(self, x: Row) -> Row:
        mean = sum(x) * (1 / self.dim)
        centred = [c - mean for c in x]
        variance = sum(c * c for c in centred) * (1 / self.dim)
        factor = (variance + self.eps) ** -0.5
        return [g * (c * factor) + o for g, c, o in zip(self.gain, centred, self.offset)]


def rectify(v: Value) -> Value:
    return v if v.data > 0 else Value(0.0)


class FeedForward(nn.Module):
    def __init__(self, embed_dim: int, hidden_dim: Optional[int] = None) -> None:
        super().__init__()
        hidden = hidden_dim if hidden_dim is not None else 4 * embed_dim
        self.layers = [nn.Linear(embed_dim, hidden), nn.Linear(hidden, embed_dim)]

    def forward(self, x: Row) -> Row:
        for n, layer in enumerate(self.layers):
            if n > 0:
                x = [rectify(v) for v in x]
            x = layer(x)
        return x


class TransformerBlock(nn.Module):
    def __init__(self, embed_dim: int, num_heads: int) -> None:
        super().__init__()
        self.norms = [LayerNorm(embed_dim), LayerNorm(embed_dim)]
        self.attention = MultiHeadAttention(embed_dim, num_heads)
        self.feedforward = FeedForward(embed_dim)

    @staticmethod
    def _add(left: Rows, right: Rows) -> Rows:
        return [[a + b for a, b in zip(p, q)] for p, q in zip(left, right)]

    def forward(self, x: Rows) -> Rows:
        first, second = self.norms
        y = self._add(x, self.attention([first(row) for row in x]))
        return self._add(y, [self.feedforward(second(row)) for row in y])
