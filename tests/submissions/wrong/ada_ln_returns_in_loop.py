# wrong: the return stands inside the loop over the channels, so only the first channel comes back. Fails: LayerNorm.shape
"""Multi-head attention and a pre-norm transformer block."""

from __future__ import annotations

from typing import List, Optional

from engine import Value
from nn import Linear, Module, apply_attention, attention_scores, causal_mask, softmax


class MultiHeadAttention(Module):
    """Self-attention in several heads; every head sees a slice of the projected queries, keys and values."""

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

    def _split(self, rows: List[List[Value]], head: int) -> List[List[Value]]:
        """The columns that belong to one head."""
        start = head * self.head_dim
        return [row[start : start + self.head_dim] for row in rows]

    def _attention(
        self, Q: List[List[Value]], K: List[List[Value]], V: List[List[Value]], causal: bool
    ) -> List[List[Value]]:
        """Scaled dot-product attention for a single head."""
        seq_len = len(Q)
        scores = attention_scores(Q, K, self.head_dim)
        if causal:
            mask = causal_mask(seq_len)
            for i in range(seq_len):
                for j in range(seq_len):
                    scores[i][j] = scores[i][j] + mask[i][j]
        weights = [softmax(row) for row in scores]
        return apply_attention(weights, V)

    def forward(self, x: List[List[Value]], causal: bool = True) -> List[List[Value]]:
        """x: (T, D) -> (T, D)."""
        Q = [self.W_q(pos) for pos in x]
        K = [self.W_k(pos) for pos in x]
        V = [self.W_v(pos) for pos in x]

        head_outputs = []
        for h in range(self.num_heads):
            head_outputs.append(self._attention(self._split(Q, h), self._split(K, h), self._split(V, h), causal))

        output = []
        for t in range(len(x)):
            concatenated: List[Value] = []
            for head in head_outputs:
                concatenated.extend(head[t])
            output.append(self.W_o(concatenated))
        return output


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
        normalised = []
        for xi, g, b in zip(x, self.gamma, self.beta):
            normalised.append(g * ((xi - mean) / std) + b)
            return normalised
        return normalised


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
