# right: one small module per head with bias-free Linear(D, head_dim) for q, k and v; only the output projection has a bias
from __future__ import annotations

from typing import List

from engine import Value
from nn import Linear, Module, apply_attention, attention_scores, causal_mask, softmax


class AttentionHead(Module):
    def __init__(self, embed_dim: int, head_dim: int):
        super().__init__()
        self.head_dim = head_dim
        self.query = Linear(embed_dim, head_dim, bias=False)
        self.key = Linear(embed_dim, head_dim, bias=False)
        self.value = Linear(embed_dim, head_dim, bias=False)

    def forward(self, x: List[List[Value]], causal: bool) -> List[List[Value]]:
        q = list(map(self.query, x))
        k = list(map(self.key, x))
        v = list(map(self.value, x))
        scores = attention_scores(q, k, self.head_dim)
        if causal:
            scores = [
                [s + m for s, m in zip(score_row, mask_row)]
                for score_row, mask_row in zip(scores, causal_mask(len(x)))
            ]
        return apply_attention([softmax(row) for row in scores], v)


class MultiHeadAttention(Module):
    def __init__(self, embed_dim: int, num_heads: int):
        # embed_dim must be divisible by num_heads
        assert embed_dim % num_heads == 0, f"{embed_dim} % {num_heads} != 0"
        super().__init__()
        head_dim = embed_dim // num_heads
        self.heads = [AttentionHead(embed_dim, head_dim) for _ in range(num_heads)]
        self.output = Linear(embed_dim, embed_dim)

    def forward(self, x: List[List[Value]], causal: bool = True) -> List[List[Value]]:
        per_head = [head(x, causal) for head in self.heads]
        result = []
        for pieces in zip(*per_head):
            # pieces: this position's slice from every head
            result.append(self.output(sum(pieces, [])))
        return result


class LayerNorm(Module):
    def __init__(self, dim: int, eps: float = 1e-5):
        super().__init__()
        self.eps = eps
        self.weight = [Value(1.0) for _ in range(dim)]
        self.bias = [Value(0.0) for _ in range(dim)]

    def forward(self, x: List[Value]) -> List[Value]:
        D = len(x)
        mean = sum(x) * (1.0 / D)
        centered = [xi - mean for xi in x]
        var = sum(c * c for c in centered) * (1.0 / D)
        inv_std = (var + self.eps) ** -0.5
        normed = [c * inv_std for c in centered]
        return [n * w + b for n, w, b in zip(normed, self.weight, self.bias)]


class FeedForward(Module):
    def __init__(self, embed_dim: int, hidden_dim: int = None):
        super().__init__()
        if hidden_dim is None:
            hidden_dim = embed_dim * 4
        self.expand = Linear(embed_dim, hidden_dim)
        self.contract = Linear(hidden_dim, embed_dim)

    def forward(self, x: List[Value]) -> List[Value]:
        h = self.expand(x)
        h = [u.relu() for u in h]
        return self.contract(h)


class TransformerBlock(Module):
    def __init__(self, embed_dim: int, num_heads: int):
        super().__init__()
        self.norm_attn = LayerNorm(embed_dim)
        self.norm_ffn = LayerNorm(embed_dim)
        self.attention = MultiHeadAttention(embed_dim, num_heads)
        self.feed_forward = FeedForward(embed_dim)

    def forward(self, x: List[List[Value]]) -> List[List[Value]]:
        normed = [self.norm_attn(row) for row in x]
        attended = self.attention(normed, causal=True)
        y = [[a + b for a, b in zip(r, s)] for r, s in zip(x, attended)]
        transformed = [self.feed_forward(self.norm_ffn(row)) for row in y]
        return [[a + b for a, b in zip(r, s)] for r, s in zip(y, transformed)]
