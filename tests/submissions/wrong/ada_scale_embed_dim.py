# wrong: attention_scores is called with embed_dim, as in the single-head class, instead of head_dim. Fails: MultiHeadAttention.values
"""Multi-head attention and a pre-norm transformer block."""

from __future__ import annotations

from typing import List, Optional

from engine import Value
from nn import Linear, Module, apply_attention, attention_scores, causal_mask, softmax


class MultiHeadAttention(Module):
    """Multi-head self-attention, modelled on SelfAttention."""

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
        """x: (T, D) -> (T, D)."""
        seq_len = len(x)
        Q = [self.W_q(pos) for pos in x]
        K = [self.W_k(pos) for pos in x]
        V = [self.W_v(pos) for pos in x]
        concat: List[List[Value]] = [[] for _ in range(seq_len)]
        for h in range(self.num_heads):
            start, end = h * self.head_dim, (h + 1) * self.head_dim
            Qh = [row[start:end] for row in Q]
            Kh = [row[start:end] for row in K]
            Vh = [row[start:end] for row in V]
            scores = attention_scores(Qh, Kh, self.embed_dim)
            if causal:
                mask = causal_mask(seq_len)
                for i in range(seq_len):
                    for j in range(seq_len):
                        scores[i][j] = scores[i][j] + mask[i][j]
            weights = [softmax(row) for row in scores]
            attended = apply_attention(weights, Vh)
            for t in range(seq_len):
                concat[t].extend(attended[t])
        return [self.W_o(pos) for pos in concat]


class LayerNorm(Module):
    """Normalises a vector over its channels."""

    def __init__(self, dim: int, eps: float = 1e-5) -> None:
        super().__init__()
        self.dim = dim
        self.eps = eps
        self.gamma = [Value(1.0) for _ in range(dim)]
        self.beta = [Value(0.0) for _ in range(dim)]

    def forward(self, x: List[Value]) -> List[Value]:
        mean = sum(x) / self.dim
        variance = sum((xi - mean) ** 2 for xi in x) / self.dim
        std = (variance + self.eps) ** 0.5
        return [g * ((xi - mean) / std) + b for xi, g, b in zip(x, self.gamma, self.beta)]


class FeedForward(Module):
    """Position-wise MLP."""

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
    """y = x + MHA(LN(x)), z = y + FFN(LN(y))."""

    def __init__(self, embed_dim: int, num_heads: int) -> None:
        super().__init__()
        self.ln1 = LayerNorm(embed_dim)
        self.attn = MultiHeadAttention(embed_dim, num_heads)
        self.ln2 = LayerNorm(embed_dim)
        self.ffn = FeedForward(embed_dim)

    def forward(self, x: List[List[Value]]) -> List[List[Value]]:
        attended = self.attn([self.ln1(row) for row in x])
        y = [[xi + ai for xi, ai in zip(row, att)] for row, att in zip(x, attended)]
        z = []
        for row in y:
            ff = self.ffn(self.ln2(row))
            z.append([yi + fi for yi, fi in zip(row, ff)])
        return z
