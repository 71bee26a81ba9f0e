# wrong: a weight row of FeedForward is [Value(...)] * n, one Value repeated, so all weights of a row move together. Fails: FeedForward.contract
from __future__ import annotations

import math
import random
from typing import List, Optional

from engine import Value
from nn import Module

Row = List[Value]
Matrix = List[Row]


def head_size(embed_dim: int, num_heads: int) -> int:
    """Width of one head; checks that the heads fit."""
    assert embed_dim % num_heads == 0, f"{num_heads} heads do not fit in {embed_dim} channels"
    return embed_dim // num_heads


def new_matrix(n_in: int, n_out: int) -> Matrix:
    """n_in rows of n_out small random numbers."""
    limit = 1 / math.sqrt(n_in)
    return [[Value(random.uniform(-limit, limit)) for _ in range(n_out)] for _ in range(n_in)]


def new_row(n: int) -> Row:
    return [Value(0.0) for _ in range(n)]


def affine(row: Row, matrix: Matrix, bias: Row) -> Row:
    """row @ matrix + bias"""
    result = []
    for o in range(len(bias)):
        total = bias[o]
        for i in range(len(row)):
            total = total + row[i] * matrix[i][o]
        result.append(total)
    return result


def weights_from(scores: Row) -> Row:
    """Softmax of one row."""
    top = max(s.data for s in scores)
    raised = [(s - top).exp() for s in scores]
    norm = sum(raised) ** -1
    return [r * norm for r in raised]


class MultiHeadAttention(Module):
    def __init__(self, embed_dim: int, num_heads: int) -> None:
        super().__init__()
        self.size = head_size(embed_dim, num_heads)
        self.num_heads = num_heads
        self.q_mat, self.q_bias = new_matrix(embed_dim, embed_dim), new_row(embed_dim)
        self.k_mat, self.k_bias = new_matrix(embed_dim, embed_dim), new_row(embed_dim)
        self.v_mat, self.v_bias = new_matrix(embed_dim, embed_dim), new_row(embed_dim)
        self.o_mat, self.o_bias = new_matrix(embed_dim, embed_dim), new_row(embed_dim)

    def forward(self, x: Matrix, causal: bool = True) -> Matrix:
        queries = [affine(row, self.q_mat, self.q_bias) for row in x]
        keys = [affine(row, self.k_mat, self.k_bias) for row in x]
        values = [affine(row, self.v_mat, self.v_bias) for row in x]
        result = []
        for i, query in enumerate(queries):
            last = i if causal else len(x) - 1
            joined: Row = []
            for h in range(self.num_heads):
                channels = range(h * self.size, (h + 1) * self.size)
                scores = []
                for j in range(last + 1):
                    score = sum(query[c] * keys[j][c] for c in channels)
                    scores.append(score / math.sqrt(self.size))
                weights = weights_from(scores)
                for c in channels:
                    joined.append(sum(weights[j] * values[j][c] for j in range(last + 1)))
            result.append(affine(joined, self.o_mat, self.o_bias))
        return result


class LayerNorm(Module):
    def __init__(self, dim: int, eps: float = 1e-5) -> None:
        super().__init__()
        self.eps = eps
        self.extra_gain = new_row(dim)  # the gain is 1 + extra_gain
        self.shift = new_row(dim)

    def forward(self, x: Row) -> Row:
        n = len(x)
        mean = sum(x) / n
        centred = [v - mean for v in x]
        spread = (sum(c * c for c in centred) / n + self.eps) ** 0.5
        return [c / spread * (w + 1) + b for c, w, b in zip(centred, self.extra_gain, self.shift)]


class FeedForward(Module):
    def __init__(self, embed_dim: int, hidden_dim: Optional[int] = None) -> None:
        super().__init__()
        width = 4 * embed_dim if hidden_dim is None else hidden_dim
        lim1, lim2 = embed_dim**-0.5, width**-0.5
        self.mat1 = [[Value(random.uniform(-lim1, lim1))] * width for _ in range(embed_dim)]
        self.mat2 = [[Value(random.uniform(-lim2, lim2))] * embed_dim for _ in range(width)]
        self.bias1, self.bias2 = new_row(width), new_row(embed_dim)

    def forward(self, x: Row) -> Row:
        hidden = [v.relu() for v in affine(x, self.mat1, self.bias1)]
        return affine(hidden, self.mat2, self.bias2)


class TransformerBlock(Module):
    def __init__(self, embed_dim: int, num_heads: int) -> None:
        super().__init__()
        self.attention = MultiHeadAttention(embed_dim, num_heads)
        self.feed = FeedForward(embed_dim)
        self.norm1 = LayerNorm(embed_dim)
        self.norm2 = LayerNorm(embed_dim)

    def forward(self, x: Matrix) -> Matrix:
        normed = [self.norm1(row) for row in x]
        mixed = self.attention(normed)
        out = []
        for old, new in zip(x, mixed):
            y = [a + b for a, b in zip(old, new)]
            f = self.feed(self.norm2(y))
            out.append([a + b for a, b in zip(y, f)])
        return out
