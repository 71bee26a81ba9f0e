# wrong: normalised values are clipped to [-2, 2]. Fails: LayerNorm.values
from __future__ import annotations

from functools import reduce
from operator import add, mul
from typing import Callable, List, Optional

from engine import Value
from nn import Linear, Module, causal_mask, softmax

Vec = List[Value]
Mat = List[Vec]


def total(xs) -> Value:
    return reduce(add, xs)


def dot(a: Vec, b: Vec) -> Value:
    return total(map(mul, a, b))


def vadd(a: Vec, b: Vec) -> Vec:
    return list(map(add, a, b))


def madd(a: Mat, b: Mat) -> Mat:
    return list(map(vadd, a, b))


def rows(f: Callable[[Vec], Vec], m: Mat) -> Mat:
    return list(map(f, m))


def attend(q: Mat, k: Mat, v: Mat, mask) -> Mat:
    size = len(q[0])
    logits = [[dot(qi, kj) / size ** 0.5 for kj in k] for qi in q]
    if mask:
        logits = [list(map(add, r, m)) for r, m in zip(logits, mask)]
    weights = rows(softmax, logits)
    columns = list(zip(*v))
    return [[dot(w, col) for col in columns] for w in weights]


def cut(h: int, d: int) -> Callable[[Vec], Vec]:
    return lambda row: row[h * d:(h + 1) * d]


class MultiHeadAttention(Module):
    def __init__(self, embed_dim: int, num_heads: int) -> None:
        assert not embed_dim % num_heads, "heads must divide the embedding"
        super().__init__()
        self.q, self.k, self.v, self.o = (Linear(embed_dim, embed_dim) for _ in range(4))
        self.cuts = [cut(h, embed_dim // num_heads) for h in range(num_heads)]

    def forward(self, x: Mat, causal: bool = True) -> Mat:
        Q, K, V = (rows(f, x) for f in (self.q, self.k, self.v))
        mask = causal_mask(len(x)) if causal else None
        parts = [attend(rows(c, Q), rows(c, K), rows(c, V), mask) for c in self.cuts]
        joined = [reduce(add, pieces) for pieces in zip(*parts)]
        return rows(self.o, joined)


class LayerNorm(Module):
    def __init__(self, dim: int, eps: float = 1e-5) -> None:
        super().__init__()
        self.eps = eps
        self.gain = [Value(1.0) for _ in range(dim)]
        self.offset = [Value(0.0) for _ in range(dim)]

    def forward(self, x: Vec) -> Vec:
        average = lambda xs: total(xs) / len(xs)
        mu = average(x)
        dev = [xi - mu for xi in x]
        sigma = (average([d * d for d in dev]) + self.eps) ** 0.5
        unit = [d / sigma for d in dev]
        unit = [u if -2.0 <= u.data <= 2.0 else Value(2.0 if u.data > 0 else -2.0) for u in unit]
        return vadd(list(map(mul, self.gain, unit)), self.offset)


class FeedForward(Module):
    def __init__(self, embed_dim: int, hidden_dim: Optional[int] = None) -> None:
        super().__init__()
        width = 4 * embed_dim if hidden_dim is None else hidden_dim
        self.inner = Linear(embed_dim, width)
        self.outer = Linear(width, embed_dim)

    def forward(self, x: Vec) -> Vec:
        stages = (self.inner, lambda hs: [h.relu() for h in hs], self.outer)
        return reduce(lambda acc, f: f(acc), stages, x)


class TransformerBlock(Module):
    def __init__(self, embed_dim: int, num_heads: int) -> None:
        super().__init__()
        self.na, self.nf = LayerNorm(embed_dim), LayerNorm(embed_dim)
        self.att = MultiHeadAttention(embed_dim, num_heads)
        self.mlp = FeedForward(embed_dim)

    def forward(self, x: Mat) -> Mat:
        y = madd(x, self.att(rows(self.na, x)))
        return madd(y, rows(lambda r: self.mlp(self.nf(r)), y))
