# wrong: the heads are averaged and the average stands in for each of them. Fails: MultiHeadAttention.gradient
"""Multi-head attention and a pre-norm transformer block."""

from __future__ import annotations

from typing import List, Optional

from engine import Value
from nn import Linear, Module, SelfAttention, apply_attention, attention_scores, causal_mask, softmax


class MultiHeadAttention(Module):
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
        Q = [self.W_q(pos) for pos in x]
        K = [self.W_k(pos) for pos in x]
        V = [self.W_v(pos) for pos in x]
        head_outputs = []
        for h in range(self.num_heads):
            start = h * self.head_dim
            end = start + self.head_dim
            Qh = [row[start:end] for row in Q]
            Kh = [row[start:end] for row in K]
            Vh = [row[start:end] for row in V]
            scores = attention_scores(Qh, Kh, self.head_dim)
            if causal:
                mask = causal_mask(seq_len)
                for i in range(seq_len):
                    for j in range(seq_len):
                        scores[i][j] = scores[i][j] + mask[i][j]
            weights = [softmax(row) for row in scores]
            head_outputs.append(apply_attention(weights, Vh))
        out = []
        for t in range(seq_len):
            concat = []
            for c in range(self.embed_dim):
                concat.append(sum(head_outputs[h][t][c % self.head_dim] for h in range(self.num_heads)) / self.num_heads)
            out.append(self.W_o(concat))
        return out


class LayerNorm(Module):
    def __init__(self, dim: int, eps: float = 1e-5) -> None:
        super().__init__()
        self.dim = dim
        self.eps = eps
        self.gamma = [Value(1.0) for _ in range(dim)]
        self.beta = [Value(0.0) for _ in range(dim)]

    def forward(self, x: List[Value]) -> List[Value]:
        mean = sum(x) / self.dim
        var = sum((xi - mean) ** 2 for xi in x) / self.dim
        std = (var + self.eps) ** 0.5
        return [g * ((xi - mean) / std) + b for xi, g, b in zip(x, self.gamma, self.beta)]


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
        normed = [self.ln1(pos) for pos in x]
        attn_out = self.attn(normed)
        y = [[a + b for a, b in zip(xr, ar)] for xr, ar in zip(x, attn_out)]
        ffn_out = [self.ffn(self.ln2(pos)) for pos in y]
        return [[a + b for a, b in zip(yr, fr)] for yr, fr in zip(y, ffn_out)]
