# wrong: the feed-forward part works on chunks of eight rows, and a started chunk is lost. Fails: TransformerBlock.values
from __future__ import annotations

from typing import List, Optional

from engine import Value
from nn import Linear, Module, SelfAttention, apply_attention, attention_scores, causal_mask, softmax


class MultiHeadAttention(Module):
    """Project once, slice into heads."""

    def __init__(self, embed_dim: int, num_heads: int) -> None:
        super().__init__()
        assert embed_dim % num_heads == 0
        self.embed_dim = embed_dim
        self.num_heads = num_heads
        self.head_dim = embed_dim // num_heads
        self.W_q = Linear(embed_dim, embed_dim)
        self.W_k = Linear(embed_dim, embed_dim)
        self.W_v = Linear(embed_dim, embed_dim)
        self.W_o = Linear(embed_dim, embed_dim)

    def forward(self, x: List[List[Value]], causal: bool = True) -> List[List[Value]]:
        seq_len = len(x)
        Q = [self.W_q(row) for row in x]
        K = [self.W_k(row) for row in x]
        V = [self.W_v(row) for row in x]
        mask = causal_mask(seq_len)
        head_outputs = []
        for h in range(self.num_heads):
            lo = h * self.head_dim
            hi = lo + self.head_dim
            q = [row[lo:hi] for row in Q]
            k = [row[lo:hi] for row in K]
            v = [row[lo:hi] for row in V]
            scores = attention_scores(q, k, self.head_dim)
            if causal:
                scores = [[s + m for s, m in zip(s_row, m_row)] for s_row, m_row in zip(scores, mask)]
            weights = [softmax(row) for row in scores]
            head_outputs.append(apply_attention(weights, v))
        merged = []
        for t in range(seq_len):
            row = []
            for out in head_outputs:
                row.extend(out[t])
            merged.append(row)
        return [self.W_o(row) for row in merged]


class LayerNorm(Module):
    def __init__(self, dim: int, eps: float = 1e-5) -> None:
        super().__init__()
        self.eps = eps
        self.gamma = [Value(1.0) for _ in range(dim)]
        self.beta = [Value(0.0) for _ in range(dim)]

    def forward(self, x: List[Value]) -> List[Value]:
        n = len(x)
        mean = sum(x) / n
        var = sum((xi - mean) ** 2 for xi in x) / n
        inv_std = (var + self.eps) ** -0.5
        return [g * (xi - mean) * inv_std + b for g, xi, b in zip(self.gamma, x, self.beta)]


class FeedForward(Module):
    def __init__(self, embed_dim: int, hidden_dim: Optional[int] = None) -> None:
        super().__init__()
        if hidden_dim is None:
            hidden_dim = 4 * embed_dim
        self.fc1 = Linear(embed_dim, hidden_dim)
        self.fc2 = Linear(hidden_dim, embed_dim)

    def forward(self, x: List[Value]) -> List[Value]:
        hidden = [h.relu() for h in self.fc1(x)]
        return self.fc2(hidden)


class TransformerBlock(Module):
    def __init__(self, embed_dim: int, num_heads: int) -> None:
        super().__init__()
        self.ln1 = LayerNorm(embed_dim)
        self.attn = MultiHeadAttention(embed_dim, num_heads)
        self.ln2 = LayerNorm(embed_dim)
        self.ffn = FeedForward(embed_dim)

    def forward(self, x: List[List[Value]]) -> List[List[Value]]:
        attended = self.attn([self.ln1(row) for row in x])
        y = [[a + b for a, b in zip(r1, r2)] for r1, r2 in zip(x, attended)]
        size = min(8, len(y))
        out = []
        for c in range(len(y) // size):
            for row in y[c * size:(c + 1) * size]:
                out.append([a + b for a, b in zip(row, self.ffn(self.ln2(row)))])
        return out
