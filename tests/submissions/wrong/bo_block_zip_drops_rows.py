# wrong: the rows are zipped with the positions after the first one, so the last row is lost without an error. Fails: TransformerBlock.shape
from __future__ import annotations

import random
from typing import List, Optional

from engine import Value
from nn import Linear, Module, SelfAttention


class MultiHeadAttention(Module):
    """Splits every row into num_heads pieces; each piece has its own small SelfAttention."""

    def __init__(self, embed_dim: int, num_heads: int) -> None:
        super().__init__()
        assert embed_dim % num_heads == 0, (
            f"embed_dim={embed_dim} is not divisible by num_heads={num_heads}"
        )
        self.num_heads = num_heads
        self.head_dim = embed_dim // num_heads
        self.heads = [SelfAttention(self.head_dim) for _ in range(num_heads)]
        self.W_o = Linear(embed_dim, embed_dim)

    def forward(self, x: List[List[Value]], causal: bool = True) -> List[List[Value]]:
        joined: List[List[Value]] = [[] for _ in x]
        for h, head in enumerate(self.heads):
            start = h * self.head_dim
            piece = [row[start:start + self.head_dim] for row in x]
            for t, row in enumerate(head(piece, causal=causal)):
                joined[t] = joined[t] + row
        return [self.W_o(row) for row in joined]


class LayerNorm(Module):
    def __init__(self, dim: int, eps: float = 1e-5) -> None:
        super().__init__()
        self.dim = dim
        self.eps = eps
        self.gamma = [Value(1.0) for _ in range(dim)]
        self.beta = [Value(0.0) for _ in range(dim)]

    def forward(self, x):
        # a whole sequence is normalised row by row
        if isinstance(x[0], (list, tuple)):
            return [self.forward(row) for row in x]
        mean = sum(x) / self.dim
        var = sum((v - mean) ** 2 for v in x) / self.dim
        inv_std = (var + self.eps) ** -0.5
        return [(v - mean) * inv_std * g + b for v, g, b in zip(x, self.gamma, self.beta)]


class FeedForward(Module):
    def __init__(self, embed_dim: int, hidden_dim: Optional[int] = None) -> None:
        super().__init__()
        if hidden_dim is None:
            hidden_dim = embed_dim * 4
        self.w1 = Linear(embed_dim, hidden_dim)
        self.w2 = Linear(hidden_dim, embed_dim)

    def forward(self, x: List[Value]) -> List[Value]:
        return self.w2([a.relu() for a in self.w1(x)])


class TransformerBlock(Module):
    def __init__(self, embed_dim: int, num_heads: int) -> None:
        super().__init__()
        self.ln1 = LayerNorm(embed_dim)
        self.ln2 = LayerNorm(embed_dim)
        self.mha = MultiHeadAttention(embed_dim, num_heads)
        self.ffn = FeedForward(embed_dim)

    def forward(self, x: List[List[Value]]) -> List[List[Value]]:
        attended = self.mha([self.ln1(row) for row in x])
        positions = range(1, len(x))
        y = [[a + b for a, b in zip(row, att)] for _, row, att in zip(positions, x, attended)]
        z = []
        for row in y:
            z.append([a + b for a, b in zip(row, self.ffn(self.ln2(row)))])
        return z


def train(steps: int = 20, lr: float = 0.02) -> List[float]:
    """Fits one block to shift a random sequence by one position; the loss should fall."""
    random.seed(1)
    T, D = 4, 4
    data = [[random.uniform(-1, 1) for _ in range(D)] for _ in range(T)]
    target = [[0.0] * D] + data[:-1]
    block = TransformerBlock(D, 2)
    losses = []
    for _ in range(steps):
        out = block([[Value(c) for c in row] for row in data])
        errors = [(o - t) ** 2 for orow, trow in zip(out, target) for o, t in zip(orow, trow)]
        while len(errors) > 1:  # add up in pairs, backward() is recursive
            errors = [sum(errors[i:i + 2]) for i in range(0, len(errors), 2)]
        loss = errors[0] / (T * D)
        for p in block.parameters():
            p.grad = 0.0
        loss.backward()
        for p in block.parameters():
            p.data -= lr * p.grad
        losses.append(loss.data)
    return losses


if __name__ == "__main__":
    history = train()
    for step, value in enumerate(history):
        print(f"step {step:2d}  loss {value:.4f}")
    assert history[-1] < history[0]
