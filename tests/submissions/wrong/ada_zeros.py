# wrong: every component answers with rows of zeros of the right shape. Fails: MultiHeadAttention.values, LayerNorm.values, FeedForward.values, TransformerBlock.values
from __future__ import annotations

from typing import List, Optional

from engine import Value
from nn import Module


def zeros(n: int) -> List[Value]:
    return [Value(0.0) for _ in range(n)]


class MultiHeadAttention(Module):
    def __init__(self, embed_dim: int, num_heads: int) -> None:
        super().__init__()
        assert embed_dim % num_heads == 0
        self.embed_dim = embed_dim

    def forward(self, x: List[List[Value]], causal: bool = True) -> List[List[Value]]:
        # TODO for now only the shape is right
        return [zeros(self.embed_dim) for _ in x]


class LayerNorm(Module):
    def __init__(self, dim: int, eps: float = 1e-5) -> None:
        super().__init__()
        self.dim = dim

    def forward(self, x: List[Value]) -> List[Value]:
        return zeros(self.dim)


class FeedForward(Module):
    def __init__(self, embed_dim: int, hidden_dim: Optional[int] = None) -> None:
        super().__init__()
        self.embed_dim = embed_dim

    def forward(self, x: List[Value]) -> List[Value]:
        return zeros(self.embed_dim)


class TransformerBlock(Module):
    def __init__(self, embed_dim: int, num_heads: int) -> None:
        super().__init__()
        assert embed_dim % num_heads == 0
        self.embed_dim = embed_dim

    def forward(self, x: List[List[Value]]) -> List[List[Value]]:
        return [zeros(self.embed_dim) for _ in x]
