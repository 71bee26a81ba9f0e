# wrong: scale and shift are applied to x first and the result is normalised. Fails: LayerNorm.values
from __future__ import annotations

from typing import List, Optional

from engine import Value
from nn import Linear, Module, apply_attention, attention_scores, softmax

MINUS_INFINITY = float("-inf")


def hide_the_future(scores: List[List[Value]]) -> List[List[Value]]:
    """Lower triangle kept, upper triangle minus infinity."""
    return [
        [score if j <= i else Value(MINUS_INFINITY) for j, score in enumerate(row)]
        for i, row in enumerate(scores)
    ]


def add_vectors(a: List[Value], b: List[Value]) -> List[Value]:
    assert len(a) == len(b)
    return [p + q for p, q in zip(a, b)]


class MultiHeadAttention(Module):
    def __init__(self, embed_dim: int, num_heads: int) -> None:
        super().__init__()
        assert embed_dim % num_heads == 0, "num_heads has to divide embed_dim"
        self.num_heads = num_heads
        self.head_dim = embed_dim // num_heads
        # one set of Linear layers per head
        self.q_layers = [Linear(embed_dim, self.head_dim) for _ in range(num_heads)]
        self.k_layers = [Linear(embed_dim, self.head_dim) for _ in range(num_heads)]
        self.v_layers = [Linear(embed_dim, self.head_dim) for _ in range(num_heads)]
        self.o_layer = Linear(num_heads * self.head_dim, embed_dim)

    def head(self, index: int, x: List[List[Value]], causal: bool) -> List[List[Value]]:
        q = [self.q_layers[index](row) for row in x]
        k = [self.k_layers[index](row) for row in x]
        v = [self.v_layers[index](row) for row in x]
        scores = attention_scores(q, k, self.head_dim)
        if causal:
            scores = hide_the_future(scores)
        return apply_attention([softmax(row) for row in scores], v)

    def forward(self, x: List[List[Value]], causal: bool = True) -> List[List[Value]]:
        heads = [self.head(index, x, causal) for index in range(self.num_heads)]
        joined = [[value for head in heads for value in head[t]] for t in range(len(x))]
        return [self.o_layer(row) for row in joined]


class LayerNorm(Module):
    def __init__(self, dim: int, eps: float = 1e-5) -> None:
        super().__init__()
        self.dim, self.eps = dim, eps
        self.scale = [Value(1.0) for _ in range(dim)]
        self.shift = [Value(0.0) for _ in range(dim)]

    def statistics(self, x: List[Value]):
        mean = sum(x) / self.dim
        variance = sum((v - mean) * (v - mean) for v in x) / self.dim
        return mean, variance

    def forward(self, x: List[Value]) -> List[Value]:
        x = [v * s + t for v, s, t in zip(x, self.scale, self.shift)]
        mean, variance = self.statistics(x)
        inverse = (variance + self.eps) ** -0.5
        return [(v - mean) * inverse for v in x]


class FeedForward(Module):
    def __init__(self, embed_dim: int, hidden_dim: Optional[int] = None) -> None:
        super().__init__()
        self.hidden_dim = 4 * embed_dim if hidden_dim is None else hidden_dim
        self.layer1 = Linear(embed_dim, self.hidden_dim)
        self.layer2 = Linear(self.hidden_dim, embed_dim)

    def forward(self, x: List[Value]) -> List[Value]:
        activated = [v.relu() for v in self.layer1(x)]
        return self.layer2(activated)


class TransformerBlock(Module):
    def __init__(self, embed_dim: int, num_heads: int) -> None:
        super().__init__()
        self.before_attention = LayerNorm(embed_dim)
        self.attention = MultiHeadAttention(embed_dim, num_heads)
        self.before_mlp = LayerNorm(embed_dim)
        self.mlp = FeedForward(embed_dim)

    def attention_step(self, x: List[List[Value]]) -> List[List[Value]]:
        branch = self.attention([self.before_attention(row) for row in x])
        return [add_vectors(row, extra) for row, extra in zip(x, branch)]

    def mlp_step(self, y: List[List[Value]]) -> List[List[Value]]:
        return [add_vectors(row, self.mlp(self.before_mlp(row))) for row in y]

    def forward(self, x: List[List[Value]]) -> List[List[Value]]:
        return self.mlp_step(self.attention_step(x))
