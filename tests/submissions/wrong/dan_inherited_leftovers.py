# wrong: MultiHeadAttention inherits SelfAttention for its W_o and also makes its own heads, so the inherited W_q, W_k, W_v are parameters that do nothing. Fails: MultiHeadAttention.gradient
from __future__ import annotations

from typing import List, Optional

from engine import Value
from nn import Linear, Module, SelfAttention, apply_attention, attention_scores, causal_mask, softmax


class Head(SelfAttention):
    """D -> head_dim, without an output layer."""

    def __init__(self, embed_dim: int, head_dim: int) -> None:
        Module.__init__(self)
        self.head_dim = head_dim
        self.W_q = Linear(embed_dim, head_dim)
        self.W_k = Linear(embed_dim, head_dim)
        self.W_v = Linear(embed_dim, head_dim)

    def forward(self, x: List[List[Value]], causal: bool = True) -> List[List[Value]]:
        scores = attention_scores([self.W_q(p) for p in x], [self.W_k(p) for p in x], self.head_dim)
        if causal:
            for row, mask_row in zip(scores, causal_mask(len(x))):
                row[:] = [s + m for s, m in zip(row, mask_row)]
        return apply_attention([softmax(row) for row in scores], [self.W_v(p) for p in x])


class MultiHeadAttention(SelfAttention):
    """The parent brings W_o."""

    def __init__(self, embed_dim: int, num_heads: int) -> None:
        assert embed_dim % num_heads == 0, "embed_dim must be a multiple of num_heads"
        super().__init__(embed_dim)
        self.heads = [Head(embed_dim, embed_dim // num_heads) for _ in range(num_heads)]

    def forward(self, x: List[List[Value]], causal: bool = True) -> List[List[Value]]:
        outs = [head(x, causal) for head in self.heads]
        return [self.W_o([v for part in parts for v in part]) for parts in zip(*outs)]


class Norm(Module):
    """Mean 0, variance 1. No weights of its own."""

    def __init__(self, eps: float) -> None:
        super().__init__()
        self.eps = eps

    def standardise(self, x: List[Value]) -> List[Value]:
        mean = sum(x) / len(x)
        variance = sum((v - mean) * (v - mean) for v in x) / len(x)
        return [(v - mean) * (variance + self.eps) ** -0.5 for v in x]


class LayerNorm(Norm):
    def __init__(self, dim: int, eps: float = 1e-5) -> None:
        super().__init__(eps)
        self.a = [Value(1.0) for _ in range(dim)]
        self.b = [Value(0.0) for _ in range(dim)]

    def forward(self, x: List[Value]) -> List[Value]:
        return [a * v + b for a, v, b in zip(self.a, self.standardise(x), self.b)]


class ReLULinear(Linear):
    """Linear followed by ReLU."""

    def forward(self, x: List[Value]) -> List[Value]:
        return [v.relu() for v in super().forward(x)]


class FeedForward(Module):
    def __init__(self, embed_dim: int, hidden_dim: Optional[int] = None) -> None:
        super().__init__()
        if hidden_dim is None:
            hidden_dim = 4 * embed_dim
        self.wide = ReLULinear(embed_dim, hidden_dim)
        self.back = Linear(hidden_dim, embed_dim)

    def forward(self, x: List[Value]) -> List[Value]:
        return self.back(self.wide(x))


class TransformerBlock(Module):
    def __init__(self, embed_dim: int, num_heads: int) -> None:
        super().__init__()
        self.mha = MultiHeadAttention(embed_dim, num_heads)
        self.ffn = FeedForward(embed_dim)
        self.ln_mha = LayerNorm(embed_dim)
        self.ln_ffn = LayerNorm(embed_dim)

    def forward(self, x: List[List[Value]]) -> List[List[Value]]:
        stream = [list(row) for row in x]
        for t, row in enumerate(self.mha([self.ln_mha(r) for r in x])):
            stream[t] = [a + b for a, b in zip(stream[t], row)]
        for t, row in enumerate(stream):
            stream[t] = [a + b for a, b in zip(row, self.ffn(self.ln_ffn(row)))]
        return stream
