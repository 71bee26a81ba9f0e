# right: tokens are streamed one at a time into growing local key and value lists; with causal=False the lists are filled first.
"""Token by token, the way a decoder generates. What is not yet in the lists cannot be looked at."""
from typing import List, Optional

from engine import Value
from nn import Linear, Module, softmax


def dot(a, b):
    return sum(p * q for p, q in zip(a, b))


class Head(Module):
    """One head: its own narrow projections, no biases."""

    def __init__(self, embed_dim: int, head_dim: int):
        super().__init__()
        self.q = Linear(embed_dim, head_dim, bias=False)
        self.k = Linear(embed_dim, head_dim, bias=False)
        self.v = Linear(embed_dim, head_dim, bias=False)
        self.scale = head_dim ** -0.5

    def remember(self, token, keys, values):
        keys.append(self.k(token))
        values.append(self.v(token))

    def read(self, token, keys, values):
        q = self.q(token)
        w = softmax([dot(q, k) * self.scale for k in keys])
        return [dot(w, column) for column in zip(*values)]


class MultiHeadAttention(Module):
    def __init__(self, embed_dim: int, num_heads: int):
        assert embed_dim % num_heads == 0, "embed_dim must be divisible by num_heads"
        super().__init__()
        self.heads = [Head(embed_dim, embed_dim // num_heads) for _ in range(num_heads)]
        self.mix = Linear(embed_dim, embed_dim, bias=False)

    def forward(self, x: List[List[Value]], causal: bool = True) -> List[List[Value]]:
        memory = [([], []) for _ in self.heads]  # local on purpose: a new sequence starts empty

        def remember(token):
            for head, (keys, values) in zip(self.heads, memory):
                head.remember(token, keys, values)

        if not causal:
            for token in x:
                remember(token)
        out = []
        for token in x:
            if causal:
                remember(token)
            row = []
            for head, (keys, values) in zip(self.heads, memory):
                row += head.read(token, keys, values)
            out.append(self.mix(row))
        return out


class LayerNorm(Module):
    def __init__(self, dim: int, eps: float = 1e-5):
        super().__init__()
        self.n, self.eps = dim, eps
        self.g = [Value(1.0) for _ in range(dim)]
        self.b = [Value(0.0) for _ in range(dim)]

    def forward(self, x: List[Value]) -> List[Value]:
        mu = sum(x) / self.n
        c = [v - mu for v in x]
        r = (dot(c, c) / self.n + self.eps) ** -0.5
        return [g * (v * r) + b for g, v, b in zip(self.g, c, self.b)]


class FeedForward(Module):
    def __init__(self, embed_dim: int, hidden_dim: Optional[int] = None):
        super().__init__()
        width = 4 * embed_dim if hidden_dim is None else hidden_dim
        self.up = Linear(embed_dim, width)
        self.down = Linear(width, embed_dim)

    def forward(self, x: List[Value]) -> List[Value]:
        return self.down([h.relu() for h in self.up(x)])


class TransformerBlock(Module):
    def __init__(self, embed_dim: int, num_heads: int):
        super().__init__()
        self.before_mix = LayerNorm(embed_dim)
        self.mixer = MultiHeadAttention(embed_dim, num_heads)
        self.before_think = LayerNorm(embed_dim)
        self.think = FeedForward(embed_dim)

    def forward(self, x: List[List[Value]]) -> List[List[Value]]:
        stream = []
        for token, update in zip(x, self.mixer([self.before_mix(token) for token in x])):
            token = [a + b for a, b in zip(token, update)]
            update = self.think(self.before_think(token))
            stream.append([a + b for a, b in zip(token, update)])
        return stream
