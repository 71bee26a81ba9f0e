# wrong: round brackets in place of square ones, so a generator comes back and not a list. Fails: LayerNorm.shape
from __future__ import annotations

from typing import List, Optional

from engine import Value
from nn import Linear, Module, apply_attention, attention_scores, causal_mask, softmax

Vector = List[Value]
Rows = List[Vector]


class Head(Module):
    """One attention head. Reads all D channels, writes head_dim."""

    def __init__(self, embed_dim: int, head_dim: int) -> None:
        super().__init__()
        self.head_dim = head_dim
        self.query = Linear(embed_dim, head_dim, bias=False)
        self.key = Linear(embed_dim, head_dim, bias=False)
        self.value = Linear(embed_dim, head_dim, bias=False)

    def forward(self, x: Rows, causal: bool = True) -> Rows:
        q = [self.query(row) for row in x]
        k = [self.key(row) for row in x]
        v = [self.value(row) for row in x]
        scores = attention_scores(q, k, self.head_dim)
        if causal:
            scores = [
                [s + m for s, m in zip(score_row, mask_row)]
                for score_row, mask_row in zip(scores, causal_mask(len(x)))
            ]
        return apply_attention([softmax(row) for row in scores], v)


class MultiHeadAttention(Module):
    def __init__(self, embed_dim: int, num_heads: int) -> None:
        super().__init__()
        assert embed_dim % num_heads == 0, "embed_dim must be divisible by num_heads"
        self.heads = [Head(embed_dim, embed_dim // num_heads) for _ in range(num_heads)]
        self.proj = Linear(embed_dim, embed_dim)

    def forward(self, x: Rows, causal: bool = True) -> Rows:
        per_head = [head(x, causal) for head in self.heads]
        result = []
        for t in range(len(x)):
            joined: Vector = []
            for head_rows in per_head:
                joined.extend(head_rows[t])
            result.append(self.proj(joined))
        return result


class LayerNorm(Module):
    def __init__(self, dim: int, eps: float = 1e-5) -> None:
        super().__init__()
        self.eps = eps
        self.gamma = [Value(1.0) for _ in range(dim)]
        self.beta = [Value(0.0) for _ in range(dim)]

    def forward(self, x: Vector) -> Vector:
        n = len(x)
        mean = sum(x) * (1.0 / n)
        diffs = [xi - mean for xi in x]
        var = sum(d * d for d in diffs) * (1.0 / n)
        inv = (var + self.eps) ** -0.5
        return (g * d * inv + b for g, d, b in zip(self.gamma, diffs, self.beta))


class FeedForward(Module):
    def __init__(self, embed_dim: int, hidden_dim: Optional[int] = None) -> None:
        super().__init__()
        if hidden_dim is None:
            hidden_dim = 4 * embed_dim
        self.fc1 = Linear(embed_dim, hidden_dim)
        self.fc2 = Linear(hidden_dim, embed_dim)

    def forward(self, x: Vector) -> Vector:
        return self.fc2([h.relu() for h in self.fc1(x)])


class TransformerBlock(Module):
    def __init__(self, embed_dim: int, num_heads: int) -> None:
        super().__init__()
        self.ln1 = LayerNorm(embed_dim)
        self.attn = MultiHeadAttention(embed_dim, num_heads)
        self.ln2 = LayerNorm(embed_dim)
        self.ffn = FeedForward(embed_dim)

    def forward(self, x: Rows) -> Rows:
        attended = self.attn([self.ln1(row) for row in x])
        y = [[a + b for a, b in zip(r, s)] for r, s in zip(x, attended)]
        fed = [self.ffn(self.ln2(row)) for row in y]
        return [[a + b for a, b in zip(r, s)] for r, s in zip(y, fed)]
