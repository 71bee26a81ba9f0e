"""Right parts, run in the place of a hand-in's faulty ones so that its block is asked about its own faults only.

It is executed like a hand-in: engine and nn are the ones of the hand-in whose parts it replaces.
Some hand-ins give their layer norm or feed-forward all rows at once; these parts take both.
"""

from __future__ import annotations

from typing import Any

from engine import Value
from nn import Linear, Module


class MultiHeadAttention(Module):
    """One small projection per head and role; a causal row only ever meets the rows up to itself."""

    def __init__(self, embed_dim: int, num_heads: int, **_: Any) -> None:
        super().__init__()
        assert embed_dim % num_heads == 0
        self.head_dim = embed_dim // num_heads
        self.heads = [[Linear(embed_dim, self.head_dim) for _ in range(3)] for _ in range(num_heads)]
        self.out = Linear(embed_dim, embed_dim)

    def forward(self, x: list[list[Value]], causal: bool = True) -> list[list[Value]]:
        """(T, D) -> (T, D)."""
        heads = [self.attend(x, head, causal) for head in self.heads]
        return [self.out([v for head in heads for v in head[t]]) for t in range(len(x))]

    def attend(self, x: Any, head: list[Linear], causal: bool) -> list[list[Value]]:
        """One head: (T, D) -> (T, head_dim)."""
        to_q, to_k, to_v = head
        mixed = []
        for t, row in enumerate(x):
            seen = x[: t + 1] if causal else x
            q, values = to_q(row), [to_v(other) for other in seen]
            scores = [self.score(q, to_k(other)) for other in seen]
            powers = [(score - max(s.data for s in scores)).exp() for score in scores]
            total = sum(powers, Value(0.0)) ** -1
            mixed.append([total * sum((p * v for p, v in zip(powers, column)), Value(0.0)) for column in zip(*values)])
        return mixed

    def score(self, q: list[Value], k: list[Value]) -> Any:
        """The scaled product of a query and a key."""
        return sum((a * b for a, b in zip(q, k, strict=True)), Value(0.0)) * self.head_dim**-0.5


class LayerNorm(Module):
    """Mean 0, variance 1, scale and shift."""

    def __init__(self, dim: int, eps: float = 1e-5, **_: Any) -> None:
        super().__init__()
        self.eps = eps
        self.scale, self.shift = [Value(1.0) for _ in range(dim)], [Value(0.0) for _ in range(dim)]

    def forward(self, x: Any) -> Any:
        """(D,) -> (D,), or row by row."""
        if isinstance(x[0], (list, tuple)):
            return [self.forward(row) for row in x]
        mean = sum(x, Value(0.0)) * (1.0 / len(x))
        centred = [xi - mean for xi in x]
        spread = (sum((c * c for c in centred), Value(0.0)) * (1.0 / len(x)) + self.eps) ** -0.5
        return [c * spread * g + b for c, g, b in zip(centred, self.scale, self.shift, strict=True)]


class FeedForward(Module):
    """Two linear layers and a ReLU."""

    def __init__(self, embed_dim: int, hidden_dim: int | None = None, **_: Any) -> None:
        super().__init__()
        width = 4 * embed_dim if hidden_dim is None else hidden_dim
        self.layers = [Linear(embed_dim, width), Linear(width, embed_dim)]

    def forward(self, x: Any) -> Any:
        """(D,) -> (D,), or row by row."""
        if isinstance(x[0], (list, tuple)):
            return [self.forward(row) for row in x]
        return self.layers[1]([h.relu() for h in self.layers[0](x)])
