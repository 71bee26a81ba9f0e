# wrong: the block has its own causal argument and its default is False, so a plain block(x) looks into the future. Fails: TransformerBlock.causality
from __future__ import annotations

from typing import List, Optional

from engine import Value
from nn import Linear, Module, SelfAttention, apply_attention, attention_scores, causal_mask, softmax


class MultiHeadAttention(SelfAttention):
    """W_q, W_k, W_v, W_o come from the parent (all D -> D); a head is a slice of Q, K and V."""

    def __init__(self, embed_dim: int, num_heads: int) -> None:
        assert embed_dim % num_heads == 0, "embed_dim must be a multiple of num_heads"
        super().__init__(embed_dim)  # exactly once: a second Module.__init__ would forget the layers
        self.num_heads = num_heads
        self.head_dim = embed_dim // num_heads

    def _one_head(
        self, h: int, Q: List[List[Value]], K: List[List[Value]], V: List[List[Value]], causal: bool
    ) -> List[List[Value]]:
        part = slice(h * self.head_dim, (h + 1) * self.head_dim)
        q, k, v = ([row[part] for row in table] for table in (Q, K, V))
        scores = attention_scores(q, k, self.head_dim)
        if causal:
            mask = causal_mask(len(scores))
            scores = [[s + mask[i][j] for j, s in enumerate(row)] for i, row in enumerate(scores)]
        return apply_attention([softmax(row) for row in scores], v)

    def forward(self, x: List[List[Value]], causal: bool = True) -> List[List[Value]]:
        Q = [self.W_q(pos) for pos in x]
        K = [self.W_k(pos) for pos in x]
        V = [self.W_v(pos) for pos in x]
        joined: List[List[Value]] = [[] for _ in x]
        for h in range(self.num_heads):
            for t, row in enumerate(self._one_head(h, Q, K, V, causal)):
                joined[t] += row
        return [self.W_o(pos) for pos in joined]


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

    def forward(self, x: List[List[Value]], causal: bool = False) -> List[List[Value]]:
        stream = []
        for row, update in zip(x, self.mha([self.ln_mha(r) for r in x], causal=causal)):
            stream.append([a + b for a, b in zip(row, update)])
        return [[a + b for a, b in zip(row, self.ffn(self.ln_ffn(row)))] for row in stream]
