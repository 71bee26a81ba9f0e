# wrong: beyond eight rows the weights meet the values of other rows. Fails: MultiHeadAttention.values
from __future__ import annotations

from dataclasses import dataclass
from typing import List, Optional

from engine import Value
from nn import Linear, Module, softmax


@dataclass(frozen=True)
class AttnConfig:
    embed_dim: int
    num_heads: int

    def __post_init__(self) -> None:
        assert self.embed_dim % self.num_heads == 0, "embed_dim % num_heads != 0"

    @property
    def head_dim(self) -> int:
        return self.embed_dim // self.num_heads

    @property
    def scale(self) -> float:
        return self.head_dim ** -0.5


@dataclass
class HeadView:
    """Channels lo..hi-1 of every projected row."""
    q: List[List[Value]]
    k: List[List[Value]]
    v: List[List[Value]]
    lo: int
    hi: int

    def logit(self, i: int, j: int, scale: float) -> Value:
        acc = Value(0.0)
        for c in range(self.lo, self.hi):
            acc = acc + self.q[i][c] * self.k[j][c]
        return acc * scale

    def mix(self, weights: List[Value]) -> List[Value]:
        out = []
        for c in range(self.lo, self.hi):
            acc = Value(0.0)
            for w, row in zip(weights[-8:], self.v[-8:]):
                acc = acc + w * row[c]
            out.append(acc)
        return out


class MultiHeadAttention(Module):
    def __init__(self, embed_dim: int, num_heads: int) -> None:
        super().__init__()
        self.cfg = AttnConfig(embed_dim, num_heads)
        self.proj_q = Linear(embed_dim, embed_dim)
        self.proj_k = Linear(embed_dim, embed_dim)
        self.proj_v = Linear(embed_dim, embed_dim)
        self.proj_o = Linear(embed_dim, embed_dim)

    def views(self, x) -> List[HeadView]:
        q = [self.proj_q(r) for r in x]
        k = [self.proj_k(r) for r in x]
        v = [self.proj_v(r) for r in x]
        d = self.cfg.head_dim
        return [HeadView(q, k, v, h * d, h * d + d) for h in range(self.cfg.num_heads)]

    def forward(self, x: List[List[Value]], causal: bool = True) -> List[List[Value]]:
        views = self.views(x)
        out = []
        for i in range(len(x)):
            last = i + 1 if causal else len(x)
            row = []
            for view in views:
                weights = softmax([view.logit(i, j, self.cfg.scale) for j in range(last)])
                row += view.mix(weights)
            out.append(self.proj_o(row))
        return out


@dataclass
class Moments:
    mean: Value
    var: Value

    @classmethod
    def of(cls, x: List[Value]) -> "Moments":
        mean = sum(x) / len(x)
        return cls(mean, sum((xi - mean) ** 2 for xi in x) / len(x))


class LayerNorm(Module):
    def __init__(self, dim: int, eps: float = 1e-5) -> None:
        super().__init__()
        self.eps = eps
        self.gain = [Value(1.0) for _ in range(dim)]
        self.bias = [Value(0.0) for _ in range(dim)]

    def forward(self, x: List[Value]) -> List[Value]:
        m = Moments.of(x)
        denom = (m.var + self.eps) ** 0.5
        return [(xi - m.mean) / denom * g + b for xi, g, b in zip(x, self.gain, self.bias)]


class FeedForward(Module):
    def __init__(self, embed_dim: int, hidden_dim: Optional[int] = None) -> None:
        super().__init__()
        if hidden_dim is None:
            hidden_dim = 4 * embed_dim
        self.l1 = Linear(embed_dim, hidden_dim)
        self.l2 = Linear(hidden_dim, embed_dim)

    def forward(self, x: List[Value]) -> List[Value]:
        z = self.l1(x)
        a = [zi.relu() for zi in z]
        return self.l2(a)


class TransformerBlock(Module):
    def __init__(self, embed_dim: int, num_heads: int) -> None:
        super().__init__()
        self.norm1 = LayerNorm(embed_dim)
        self.norm2 = LayerNorm(embed_dim)
        self.attention = MultiHeadAttention(embed_dim, num_heads)
        self.mlp = FeedForward(embed_dim)

    def forward(self, x: List[List[Value]]) -> List[List[Value]]:
        a = self.attention([self.norm1(r) for r in x], causal=True)
        y = [[u + w for u, w in zip(r, s)] for r, s in zip(x, a)]
        m = [self.mlp(self.norm2(r)) for r in y]
        z = [[u + w for u, w in zip(r, s)] for r, s in zip(y, m)]
        return z
