# wrong: the forbidden pairs are a generator that the first head uses up, so the later heads are not masked. Fails: MultiHeadAttention.causality
from __future__ import annotations

from typing import List, Optional

from engine import Value
from nn import Linear, Module, apply_attention, attention_scores, softmax

MINUS_INFINITY = float("-inf")


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

    def forward(self, x: List[List[Value]], causal: bool = True) -> List[List[Value]]:
        length = len(x)
        forbidden = ((i, j) for i in range(length) for j in range(i + 1, length))
        joined: List[List[Value]] = [[] for _ in range(length)]
        for q_layer, k_layer, v_layer in zip(self.q_layers, self.k_layers, self.v_layers):
            q = [q_layer(row) for row in x]
            k = [k_layer(row) for row in x]
            v = [v_layer(row) for row in x]
            scores = attention_scores(q, k, self.head_dim)
            if causal:
                for i, j in forbidden:
                    scores[i][j] = Value(MINUS_INFINITY)
            for row, part in zip(joined, apply_attention([softmax(s) for s in scores], v)):
                row.extend(part)
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
        mean, variance = self.statistics(x)
        inverse = (variance + self.eps) ** -0.5
        return [(v - mean) * inverse * s + t for v, s, t in zip(x, self.scale, self.shift)]


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
