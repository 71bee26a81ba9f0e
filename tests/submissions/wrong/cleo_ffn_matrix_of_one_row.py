# wrong: the row is put through matmul as a matrix of one row and comes back as one, not as a row. Fails: FeedForward.shape
"""Transformer block built from a handful of matrix helpers. No Linear anywhere, just x @ W."""

from __future__ import annotations

import random
from typing import List, Optional

from engine import Value
from nn import Module, causal_mask, softmax

Row = List[Value]
Matrix = List[Row]


# --- helpers -------------------------------------------------------------------------------------------


def new_matrix(n_in: int, n_out: int) -> Matrix:
    """Random (n_in, n_out) matrix, so that x @ W works without transposing W."""
    bound = 1.0 / n_in**0.5
    return [[Value(random.uniform(-bound, bound)) for _ in range(n_out)] for _ in range(n_in)]


def transpose(a: Matrix) -> Matrix:
    return [list(col) for col in zip(*a)]


def dot(u: Row, v: Row) -> Value:
    total = Value(0.0)
    for ui, vi in zip(u, v):
        total = total + ui * vi
    return total


def matmul(a: Matrix, b: Matrix) -> Matrix:
    """(n, m) @ (m, p) -> (n, p)"""
    b_columns = transpose(b)
    return [[dot(row, col) for col in b_columns] for row in a]


def add(a: Matrix, b) -> Matrix:
    return [[ai + bi for ai, bi in zip(ra, rb)] for ra, rb in zip(a, b)]


def times(a: Matrix, factor: float) -> Matrix:
    return [[ai * factor for ai in row] for row in a]


def columns(a: Matrix, start: int, stop: int) -> Matrix:
    return [row[start:stop] for row in a]


def side_by_side(blocks: List[Matrix]) -> Matrix:
    """hstack"""
    return [sum((list(part) for part in parts), []) for parts in zip(*blocks)]


# --- modules -------------------------------------------------------------------------------------------


class MultiHeadAttention(Module):
    def __init__(self, embed_dim: int, num_heads: int) -> None:
        super().__init__()
        assert embed_dim % num_heads == 0, "embed_dim must be divisible by num_heads"
        self.num_heads = num_heads
        self.head_dim = embed_dim // num_heads
        self.w_query = new_matrix(embed_dim, embed_dim)
        self.w_key = new_matrix(embed_dim, embed_dim)
        self.w_value = new_matrix(embed_dim, embed_dim)
        self.w_out = new_matrix(embed_dim, embed_dim)

    def forward(self, x: Matrix, causal: bool = True) -> Matrix:
        queries = matmul(x, self.w_query)
        keys = matmul(x, self.w_key)
        values = matmul(x, self.w_value)

        heads = []
        for h in range(self.num_heads):
            a, b = h * self.head_dim, (h + 1) * self.head_dim
            scores = matmul(columns(queries, a, b), transpose(columns(keys, a, b)))
            scores = times(scores, self.head_dim**-0.5)
            if causal:
                scores = add(scores, causal_mask(len(x)))
            weights = [softmax(row) for row in scores]
            heads.append(matmul(weights, columns(values, a, b)))

        return matmul(side_by_side(heads), self.w_out)


class LayerNorm(Module):
    def __init__(self, dim: int, eps: float = 1e-5) -> None:
        super().__init__()
        self.dim = dim
        self.eps = eps
        self.gain = [Value(1.0) for _ in range(dim)]
        self.bias = [Value(0.0) for _ in range(dim)]

    def forward(self, x: Row) -> Row:
        ones = [Value(1.0 / self.dim) for _ in x]
        mean = dot(x, ones)
        shifted = [xi - mean for xi in x]
        variance = dot(shifted, shifted) / self.dim
        inv_std = (variance + self.eps) ** -0.5
        return [s * inv_std * g + b for s, g, b in zip(shifted, self.gain, self.bias)]


class FeedForward(Module):
    def __init__(self, embed_dim: int, hidden_dim: Optional[int] = None) -> None:
        super().__init__()
        if hidden_dim is None:
            hidden_dim = 4 * embed_dim
        self.w_up = new_matrix(embed_dim, hidden_dim)
        self.w_down = new_matrix(hidden_dim, embed_dim)

    def forward(self, x: Row) -> Row:
        hidden = matmul([x], self.w_up)[0]
        hidden = [h.relu() for h in hidden]
        return matmul([hidden], self.w_down)


class TransformerBlock(Module):
    def __init__(self, embed_dim: int, num_heads: int) -> None:
        super().__init__()
        self.norm_a = LayerNorm(embed_dim)
        self.attention = MultiHeadAttention(embed_dim, num_heads)
        self.norm_b = LayerNorm(embed_dim)
        self.mlp = FeedForward(embed_dim)

    def forward(self, x: Matrix) -> Matrix:
        y = add(x, self.attention([self.norm_a(row) for row in x]))
        z = add(y, [self.mlp(self.norm_b(row)) for row in y])
        return z
