# wrong: every slice of x goes through the same small q, k, v layers, so there are too few parameters. Fails: MultiHeadAttention.contract
from __future__ import annotations

from typing import List, Optional

from engine import Value
from nn import Linear, Module, apply_attention, attention_scores, causal_mask, softmax


class ReLU(Module):
    """Element-wise ReLU as a layer without weights."""

    def forward(self, x: List[Value]) -> List[Value]:
        return [v.relu() for v in x]


class Sequential(Module):
    """Runs its layers one after the other."""

    def __init__(self, *layers: Module) -> None:
        super().__init__()
        self.layers = layers

    def forward(self, x: List[Value]) -> List[Value]:
        for layer in self.layers:
            x = layer(x)
        return x


class MultiHeadAttention(Module):
    """Splits every row of x into num_heads pieces and attends on each piece."""

    def __init__(self, embed_dim: int, num_heads: int) -> None:
        super().__init__()
        assert embed_dim % num_heads == 0, (embed_dim, num_heads)
        self.num_heads = num_heads
        self.head_dim = embed_dim // num_heads
        self.query = Linear(self.head_dim, self.head_dim)
        self.key = Linear(self.head_dim, self.head_dim)
        self.value = Linear(self.head_dim, self.head_dim)
        self.projection = Linear(embed_dim, embed_dim)

    def forward(self, x: List[List[Value]], causal: bool = True) -> List[List[Value]]:
        rows: List[List[Value]] = [[] for _ in x]
        for h in range(self.num_heads):
            part = [row[h * self.head_dim : (h + 1) * self.head_dim] for row in x]
            scores = attention_scores(
                [self.query(p) for p in part],
                [self.key(p) for p in part],
                self.head_dim,
            )
            if causal:
                mask = causal_mask(len(x))
                scores = [[s + m for s, m in zip(a, b)] for a, b in zip(scores, mask)]
            output = apply_attention([softmax(s) for s in scores], [self.value(p) for p in part])
            for row, piece in zip(rows, output):
                row += piece
        return [self.projection(row) for row in rows]


class LayerNorm(Module):
    """(x - mean) / sqrt(var + eps) * gamma + beta."""

    def __init__(self, dim: int, eps: float = 1e-5) -> None:
        super().__init__()
        self.eps = eps
        self.gamma = [Value(1.0) for _ in range(dim)]
        self.beta = [Value(0.0) for _ in range(dim)]

    def forward(self, x: List[Value]) -> List[Value]:
        dim = len(self.gamma)
        mean = sum(x) / dim
        var = sum([(v - mean) ** 2 for v in x]) / dim
        normalized = [(v - mean) / ((var + self.eps) ** 0.5) for v in x]
        return [n * g + b for n, g, b in zip(normalized, self.gamma, self.beta)]


class FeedForward(Module):
    """MLP with one hidden layer (the list of widths allows more)."""

    def __init__(self, embed_dim: int, hidden_dim: Optional[int] = None) -> None:
        super().__init__()
        if hidden_dim is None:
            hidden_dim = 4 * embed_dim
        widths = [embed_dim] + [hidden_dim] + [embed_dim]
        layers: List[Module] = []
        for n_in, n_out in zip(widths, widths[1:]):
            if layers:
                layers.append(ReLU())
            layers.append(Linear(n_in, n_out))
        self.net = Sequential(*layers)

    def forward(self, x: List[Value]) -> List[Value]:
        return self.net(x)


class Residual(Module):
    """x + branch(x) row by row, for something that takes and returns rows."""

    def forward(self, rows: List[List[Value]], branch: List[List[Value]]) -> List[List[Value]]:
        return [[a + b for a, b in zip(r, s)] for r, s in zip(rows, branch)]


class TransformerBlock(Module):
    def __init__(self, embed_dim: int, num_heads: int) -> None:
        super().__init__()
        self.norm1 = LayerNorm(embed_dim)
        self.attention = MultiHeadAttention(embed_dim, num_heads)
        self.norm2 = LayerNorm(embed_dim)
        self.feed_forward = FeedForward(embed_dim)
        self.add = Residual()

    def forward(self, x: List[List[Value]]) -> List[List[Value]]:
        y = self.add(x, self.attention([self.norm1(row) for row in x]))
        return self.add(y, [self.feed_forward(self.norm2(row)) for row in y])
