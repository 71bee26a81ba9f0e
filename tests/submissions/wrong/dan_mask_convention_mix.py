# wrong: a mask of ones (allowed) and zeros (forbidden) is added to the scores as if it were 0 and -1e9. Fails: MultiHeadAttention.causality
from __future__ import annotations

from typing import List, Optional

from engine import Value
from nn import Linear, Module, SelfAttention, apply_attention, attention_scores, softmax


class Head(SelfAttention):
    """SelfAttention that reads a wide row: D in, head_dim out."""

    def __init__(self, wide: int, narrow: int) -> None:
        super().__init__(narrow)
        self.W_q = Linear(wide, narrow)
        self.W_k = Linear(wide, narrow)
        self.W_v = Linear(wide, narrow)

    def _mask(self, size: int) -> List[List[float]]:
        """Lower triangle: 1 may look, 0 may not."""
        return [[float(j <= i) for j in range(size)] for i in range(size)]

    def forward(self, x: List[List[Value]], causal: bool = True) -> List[List[Value]]:
        Q, K, V = ([W(pos) for pos in x] for W in (self.W_q, self.W_k, self.W_v))
        scores = attention_scores(Q, K, self.embed_dim)
        if causal:
            mask = self._mask(len(x))
            scores = [[s + m for s, m in zip(srow, mrow)] for srow, mrow in zip(scores, mask)]
        attended = apply_attention([softmax(row) for row in scores], V)
        return [self.W_o(pos) for pos in attended]


class MultiHeadAttention(Module):
    def __init__(self, embed_dim: int, num_heads: int) -> None:
        assert embed_dim % num_heads == 0, "cannot split the embedding evenly"
        super().__init__()
        self.heads = [Head(embed_dim, embed_dim // num_heads) for _ in range(num_heads)]
        self.out_proj = Linear(embed_dim, embed_dim)

    def forward(self, x: List[List[Value]], causal: bool = True) -> List[List[Value]]:
        outputs = [head(x, causal=causal) for head in self.heads]
        concatenated = []
        for parts in zip(*outputs):
            concatenated.append([v for part in parts for v in part])
        return [self.out_proj(row) for row in concatenated]


class _Affine(Module):
    def __init__(self, size: int) -> None:
        super().__init__()
        self.mul = [Value(1.0) for _ in range(size)]
        self.add = [Value(0.0) for _ in range(size)]

    def forward(self, x: List[Value]) -> List[Value]:
        return [v * m + a for v, m, a in zip(x, self.mul, self.add)]


class LayerNorm(Module):
    def __init__(self, dim: int, eps: float = 1e-5) -> None:
        super().__init__()
        self.dim = dim
        self.eps = eps
        self.affine = _Affine(dim)

    def forward(self, x: List[Value]) -> List[Value]:
        mean = sum(v * (1.0 / self.dim) for v in x)
        shifted = [v - mean for v in x]
        variance = sum(s * s * (1.0 / self.dim) for s in shifted)
        denominator = (variance + self.eps) ** 0.5
        return self.affine([s / denominator for s in shifted])


class FeedForward(Module):
    def __init__(self, embed_dim: int, hidden_dim: Optional[int] = None) -> None:
        super().__init__()
        self.inner = Linear(embed_dim, 4 * embed_dim if hidden_dim is None else hidden_dim)
        self.outer = Linear(self.inner.out_features, embed_dim)

    def forward(self, x: List[Value]) -> List[Value]:
        return self.outer(list(map(Value.relu, self.inner(x))))


class TransformerBlock(Module):
    def __init__(self, embed_dim: int, num_heads: int) -> None:
        super().__init__()
        self.first_norm = LayerNorm(embed_dim)
        self.attention = MultiHeadAttention(embed_dim, num_heads)
        self.second_norm = LayerNorm(embed_dim)
        self.mlp = FeedForward(embed_dim)

    def forward(self, x: List[List[Value]]) -> List[List[Value]]:
        y = self._plus(x, self.attention([self.first_norm(row) for row in x]))
        return self._plus(y, [self.mlp(self.second_norm(row)) for row in y])

    @staticmethod
    def _plus(a: List[List[Value]], b: List[List[Value]]) -> List[List[Value]]:
        return [[p + q for p, q in zip(r, s)] for r, s in zip(a, b)]
