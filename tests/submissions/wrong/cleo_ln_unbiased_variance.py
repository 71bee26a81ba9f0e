# wrong: the variance is divided by D - 1. Fails: LayerNorm.values
from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import List, Optional, Sequence

from engine import Value
from nn import Linear, Module, attention_scores, apply_attention, softmax

Vector = List[Value]
Sequence2D = List[Vector]


@dataclass(frozen=True)
class AttentionConfig:
    embed_dim: int
    num_heads: int
    mask_value: float = -math.inf
    head_dim: int = field(init=False)

    def __post_init__(self) -> None:
        assert self.embed_dim % self.num_heads == 0, (
            f"cannot split {self.embed_dim} channels into {self.num_heads} equal heads"
        )
        object.__setattr__(self, "head_dim", self.embed_dim // self.num_heads)


@dataclass(frozen=True)
class BlockConfig:
    embed_dim: int
    num_heads: int
    mlp_ratio: int = 4
    eps: float = 1e-5

    @property
    def hidden_dim(self) -> int:
        return self.mlp_ratio * self.embed_dim


class Head(Module):
    """One head: D -> head_dim for each of q, k, v."""

    def __init__(self, config: AttentionConfig) -> None:
        super().__init__()
        self.config = config
        self.query = Linear(config.embed_dim, config.head_dim)
        self.key = Linear(config.embed_dim, config.head_dim)
        self.value = Linear(config.embed_dim, config.head_dim)

    def forward(self, x: Sequence2D, causal: bool = True) -> Sequence2D:
        q = [self.query(row) for row in x]
        k = [self.key(row) for row in x]
        v = [self.value(row) for row in x]
        scores = attention_scores(q, k, self.config.head_dim)
        if causal:
            for i, row in enumerate(scores):
                for j in range(i + 1, len(row)):
                    row[j] = Value(self.config.mask_value)
        return apply_attention([softmax(row) for row in scores], v)


class MultiHeadAttention(Module):
    def __init__(self, embed_dim: int, num_heads: int) -> None:
        super().__init__()
        self.config = AttentionConfig(embed_dim, num_heads)
        self.heads = [Head(self.config) for _ in range(num_heads)]
        self.proj = Linear(embed_dim, embed_dim)

    def forward(self, x: Sequence2D, causal: bool = True) -> Sequence2D:
        per_head = [head(x, causal) for head in self.heads]
        out = []
        for t in range(len(x)):
            joined: Vector = []
            for head_out in per_head:
                joined.extend(head_out[t])
            out.append(self.proj(joined))
        return out


@dataclass
class Moments:
    mean: Value
    variance: Value

    @classmethod
    def of(cls, x: Sequence[Value]) -> Moments:
        mean = sum(x) / len(x)
        variance = sum((xi - mean) ** 2 for xi in x) / (len(x) - 1)
        return cls(mean, variance)


class LayerNorm(Module):
    def __init__(self, dim: int, eps: float = 1e-5) -> None:
        super().__init__()
        self.eps = eps
        self.gamma = [Value(1.0) for _ in range(dim)]
        self.beta = [Value(0.0) for _ in range(dim)]

    def forward(self, x: Vector) -> Vector:
        stats = Moments.of(x)
        std = (stats.variance + self.eps) ** 0.5
        return [g * ((xi - stats.mean) / std) + b for xi, g, b in zip(x, self.gamma, self.beta)]


class FeedForward(Module):
    def __init__(self, embed_dim: int, hidden_dim: Optional[int] = None) -> None:
        super().__init__()
        hidden_dim = BlockConfig(embed_dim, 1).hidden_dim if hidden_dim is None else hidden_dim
        self.up = Linear(embed_dim, hidden_dim)
        self.down = Linear(hidden_dim, embed_dim)

    def forward(self, x: Vector) -> Vector:
        return self.down([h.relu() for h in self.up(x)])


class TransformerBlock(Module):
    def __init__(self, embed_dim: int, num_heads: int) -> None:
        super().__init__()
        self.config = config = BlockConfig(embed_dim, num_heads)
        self.norm_1 = LayerNorm(config.embed_dim, config.eps)
        self.attn = MultiHeadAttention(config.embed_dim, config.num_heads)
        self.norm_2 = LayerNorm(config.embed_dim, config.eps)
        self.mlp = FeedForward(config.embed_dim, config.hidden_dim)

    def forward(self, x: Sequence2D) -> Sequence2D:
        attended = self.attn([self.norm_1(row) for row in x])
        y = [[xi + ai for xi, ai in zip(xr, ar)] for xr, ar in zip(x, attended)]
        z = []
        for row in y:
            change = self.mlp(self.norm_2(row))
            z.append([yi + ci for yi, ci in zip(row, change)])
        return z
