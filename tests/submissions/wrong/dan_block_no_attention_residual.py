# wrong: the attention half of the block is not wrapped in Residual, so x itself is never added. Fails: TransformerBlock.residual
from __future__ import annotations

from typing import Any, List, Optional

from engine import Value
from nn import Linear, Module, causal_mask


def log_softmax(row: List[Value]) -> List[Value]:
    biggest = max(v.data for v in row)
    lse = sum((v - biggest).exp() for v in row).log() + biggest
    return [v - lse for v in row]


def dot(a: List[Value], b: List[Value]) -> Value:
    out = a[0] * b[0]
    for p, q in zip(a[1:], b[1:]):
        out = out + p * q
    return out


class Head(Module):
    def __init__(self, embed_dim: int, head_dim: int) -> None:
        super().__init__()
        self.scale = head_dim ** -0.5
        self.to_q = Linear(embed_dim, head_dim, bias=False)
        self.to_k = Linear(embed_dim, head_dim, bias=False)
        self.to_v = Linear(embed_dim, head_dim, bias=True)

    def forward(self, x: List[List[Value]], causal: bool) -> List[List[Value]]:
        q = [[c * self.scale for c in self.to_q(row)] for row in x]
        k = [self.to_k(row) for row in x]
        v_columns = list(zip(*[self.to_v(row) for row in x]))
        mask = causal_mask(len(x))
        out = []
        for qi, mask_row in zip(q, mask):
            logits = [dot(qi, kj) + (m if causal else 0.0) for kj, m in zip(k, mask_row)]
            weights = [w.exp() for w in log_softmax(logits)]
            out.append([dot(weights, list(column)) for column in v_columns])
        return out


class MultiHeadAttention(Module):
    def __init__(self, embed_dim: int, num_heads: int) -> None:
        super().__init__()
        assert embed_dim % num_heads == 0
        self.heads = [Head(embed_dim, embed_dim // num_heads) for _ in range(num_heads)]
        self.to_out = Linear(embed_dim, embed_dim)

    def forward(self, x: List[List[Value]], causal: bool = True) -> List[List[Value]]:
        split = [head(x, causal) for head in self.heads]
        return [self.to_out([c for part in parts for c in part]) for parts in zip(*split)]


class LayerNorm(Module):
    def __init__(self, dim: int, eps: float = 1e-5) -> None:
        super().__init__()
        self.eps = eps
        self.scale_shift = [[Value(1.0), Value(0.0)] for _ in range(dim)]

    def forward(self, x: List[Value]) -> List[Value]:
        n = len(self.scale_shift)
        mean = sum(x) / n
        var = sum((v - mean) ** 2 for v in x) / n
        inv_std = (var + self.eps) ** -0.5
        return [(v - mean) * inv_std * s + b for v, (s, b) in zip(x, self.scale_shift)]


class FeedForward(Module):
    def __init__(self, embed_dim: int, hidden_dim: Optional[int] = None) -> None:
        super().__init__()
        hidden_dim = 4 * embed_dim if hidden_dim is None else hidden_dim
        self.expand = Linear(embed_dim, hidden_dim)
        self.shrink = Linear(hidden_dim, embed_dim)

    def forward(self, x: List[Value]) -> List[Value]:
        hidden = self.expand(x)
        return self.shrink([h.relu() for h in hidden])


class EachRow(Module):
    """Applies a module for one vector to every row."""

    def __init__(self, fn: Module) -> None:
        super().__init__()
        self.fn = fn

    def forward(self, x: List[List[Value]]) -> List[List[Value]]:
        return [self.fn(row) for row in x]


class PreNorm(Module):
    """fn(norm(x))"""

    def __init__(self, norm: Module, fn: Module) -> None:
        super().__init__()
        self.norm = norm
        self.fn = fn

    def forward(self, x: List[List[Value]], **kwargs: Any) -> List[List[Value]]:
        return self.fn([self.norm(row) for row in x], **kwargs)


class Residual(Module):
    """x + fn(x)"""

    def __init__(self, fn: Module) -> None:
        super().__init__()
        self.fn = fn

    def forward(self, x: List[List[Value]], **kwargs: Any) -> List[List[Value]]:
        return [[a + b for a, b in zip(p, q)] for p, q in zip(x, self.fn(x, **kwargs))]


class TransformerBlock(Module):
    def __init__(self, embed_dim: int, num_heads: int) -> None:
        super().__init__()
        self.attend = PreNorm(LayerNorm(embed_dim), MultiHeadAttention(embed_dim, num_heads))
        self.feed = Residual(PreNorm(LayerNorm(embed_dim), EachRow(FeedForward(embed_dim))))

    def forward(self, x: List[List[Value]]) -> List[List[Value]]:
        return self.feed(self.attend(x))
