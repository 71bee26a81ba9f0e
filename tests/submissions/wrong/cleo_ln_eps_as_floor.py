# wrong: eps is a lower limit of the variance, max(variance, eps), and is not added to it. Fails: LayerNorm.values
from __future__ import annotations

import random
from typing import Callable, List, Optional, Tuple, Union

from engine import Value
from nn import Linear, Module

Scalar = Value
Vector = List[Scalar]
Matrix = List[Vector]
Activation = Callable[[Scalar], Scalar]
AttentionResult = Union[Matrix, Tuple[Matrix, List[Matrix]]]


def relu(v: Scalar) -> Scalar:
    return v.relu()


def vector_sum(a: Vector, b: Vector) -> Vector:
    return [ai + bi for ai, bi in zip(a, b)]


def matrix_sum(a: Matrix, b: Matrix) -> Matrix:
    return [vector_sum(ra, rb) for ra, rb in zip(a, b)]


def inner(a: Vector, b: Vector) -> Scalar:
    products = [ai * bi for ai, bi in zip(a, b)]
    # pairwise, keeps the graph shallow
    while len(products) > 1:
        paired = [p + q for p, q in zip(products[::2], products[1::2])]
        if len(products) % 2:
            paired.append(products[-1])
        products = paired
    return products[0]


def softmax(logits: Vector) -> Vector:
    """exp(l - logsumexp(l)), shifted by the largest so that the log never sees a tiny number"""
    top = max(l.data for l in logits)
    shifted = [l - top for l in logits]
    log_total = sum(s.exp() for s in shifted).log()
    return [(s - log_total).exp() for s in shifted]


class MultiHeadAttention(Module):
    def __init__(self, embed_dim: int, num_heads: int, *, bias: bool = True) -> None:
        super().__init__()
        assert embed_dim % num_heads == 0, "embed_dim % num_heads must be 0"
        self.num_heads = num_heads
        self.head_dim = embed_dim // num_heads
        self.query = Linear(embed_dim, embed_dim, bias)
        self.key = Linear(embed_dim, embed_dim, bias)
        self.value = Linear(embed_dim, embed_dim, bias)
        self.output = Linear(embed_dim, embed_dim, bias)

    def _split(self, row: Vector) -> Matrix:
        d = self.head_dim
        return [row[h * d : (h + 1) * d] for h in range(self.num_heads)]

    def forward(self, x: Matrix, causal: bool = True, *, return_weights: bool = False) -> AttentionResult:
        root = self.head_dim**0.25  # half of the scaling on each side
        q = [self._split([v / root for v in self.query(row)]) for row in x]
        k = [self._split([v / root for v in self.key(row)]) for row in x]
        v = [self._split(self.value(row)) for row in x]

        result: Matrix = []
        all_weights: List[Matrix] = []
        for t in range(len(x)):
            last = t if causal else len(x) - 1
            concatenated: Vector = []
            all_weights.append([])
            for h in range(self.num_heads):
                weights = softmax([inner(q[t][h], k[s][h]) for s in range(last + 1)])
                for c in range(self.head_dim):
                    concatenated.append(inner(weights, [v[s][h][c] for s in range(last + 1)]))
                all_weights[-1].append(weights)
            result.append(self.output(concatenated))
        return (result, all_weights) if return_weights else result


class LayerNorm(Module):
    def __init__(self, dim: int, eps: float = 1e-5, *, start_scale: float = 1.0) -> None:
        super().__init__()
        self.eps = eps
        self.scale: Vector = [Value(start_scale) for _ in range(dim)]
        self.shift: Vector = [Value(0.0) for _ in range(dim)]

    def forward(self, x: Vector) -> Vector:
        count = len(x)
        mean = sum(x[1:], x[0]) / count
        deviations = [v - mean for v in x]
        variance = inner(deviations, deviations) / count
        if variance.data < self.eps:  # never divide by zero
            variance = Value(self.eps)
        std = variance**0.5
        return [d / std * s + b for d, s, b in zip(deviations, self.scale, self.shift)]


class FeedForward(Module):
    def __init__(self, embed_dim: int, hidden_dim: Optional[int] = None, *, activation: Activation = relu) -> None:
        super().__init__()
        width = 4 * embed_dim if hidden_dim is None else hidden_dim
        self.expand = Linear(embed_dim, width)
        self.contract = Linear(width, embed_dim)
        self.activation = activation

    def forward(self, x: Vector) -> Vector:
        return self.contract([self.activation(v) for v in self.expand(x)])


class TransformerBlock(Module):
    def __init__(
        self, embed_dim: int, num_heads: int, *, hidden_dim: Optional[int] = None, eps: float = 1e-5
    ) -> None:
        super().__init__()
        self.attention_norm = LayerNorm(embed_dim, eps)
        self.attention = MultiHeadAttention(embed_dim, num_heads)
        self.feed_forward_norm = LayerNorm(embed_dim, eps)
        self.feed_forward = FeedForward(embed_dim, hidden_dim)

    def forward(self, x: Matrix, causal: bool = True) -> Matrix:
        """causal=False is only here for playing with an encoder"""
        y = matrix_sum(x, self.attention([self.attention_norm(row) for row in x], causal=causal))
        return matrix_sum(y, [self.feed_forward(self.feed_forward_norm(row)) for row in y])


def _demo(*, width: int = 8, length: int = 4) -> None:
    random.seed(1)
    x = [[Value(random.gauss(0, 1)) for _ in range(width)] for _ in range(length)]
    print(len(TransformerBlock(width, 2)(x)), "rows")


if __name__ == "__main__":
    _demo()
