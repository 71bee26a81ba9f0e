"""Multi-head attention and a pre-norm transformer block: the reference. Hidden from students."""

from __future__ import annotations

from typing import Any, List, Optional

from engine import Value
from nn import Linear, Module, SelfAttention, apply_attention, attention_scores, causal_mask, softmax


class MultiHeadAttention(Module):
    """Self-attention in num_heads heads of size head_dim = embed_dim // num_heads.

    Each head attends on its own; the heads' outputs are concatenated and go through a final output
    projection. embed_dim must be divisible by num_heads, or construction fails with AssertionError.
    """

    def __init__(self, embed_dim: int, num_heads: int) -> None:
        """embed_dim: D, the width of a row. num_heads: H, a divisor of D."""
        super().__init__()
        assert embed_dim % num_heads == 0, f"embed_dim {embed_dim} is not divisible by num_heads {num_heads}"
        self.num_heads = num_heads
        self.head_dim = embed_dim // num_heads
        self.W_q = Linear(embed_dim, embed_dim)
        self.W_k = Linear(embed_dim, embed_dim)
        self.W_v = Linear(embed_dim, embed_dim)
        self.W_o = Linear(embed_dim, embed_dim)

    def forward(self, x: List[List[Value]], causal: bool = True) -> List[List[Value]]:
        """x: (T, D) -> (T, D). With causal=True row i depends on rows 0..i only, with False on all rows."""
        Q = [self.W_q(row) for row in x]
        K = [self.W_k(row) for row in x]
        V = [self.W_v(row) for row in x]
        heads = [self._attend(Q, K, V, h, causal) for h in range(self.num_heads)]
        concatenated = [[v for head in heads for v in head[t]] for t in range(len(x))]
        return [self.W_o(row) for row in concatenated]

    def _attend(self, Q: Any, K: Any, V: Any, h: int, causal: bool) -> List[List[Value]]:
        """Attention of head h alone: its slice of Q, K and V, (T, D) -> (T, head_dim)."""
        own = slice(h * self.head_dim, (h + 1) * self.head_dim)
        scores = attention_scores([q[own] for q in Q], [k[own] for k in K], self.head_dim)
        if causal:
            mask = causal_mask(len(scores))
            scores = [[s + m for s, m in zip(*rows)] for rows in zip(scores, mask)]
        return apply_attention([softmax(row) for row in scores], [v[own] for v in V])


class LayerNorm(Module):
    """Normalises one vector to mean 0 and variance 1, then applies a learnable scale and shift per channel."""

    def __init__(self, dim: int, eps: float = 1e-5) -> None:
        """dim: D, the length of the vector. eps: added to the variance, inside the square root."""
        super().__init__()
        self.eps = eps
        self.scale = [Value(1.0) for _ in range(dim)]
        self.shift = [Value(0.0) for _ in range(dim)]

    def forward(self, x: List[Value]) -> List[Value]:
        """x: (D,) -> (D,). The variance is divided by D. Scale starts at 1, shift at 0."""
        D = len(x)
        mean: Any = sum(x) * (1.0 / D)
        centred = [xi - mean for xi in x]
        variance: Any = sum(c * c for c in centred) * (1.0 / D)
        rsqrt = (variance + self.eps) ** -0.5
        return [c * rsqrt * g + b for c, g, b in zip(centred, self.scale, self.shift)]


class FeedForward(Module):
    """Two linear layers with a ReLU between them, D -> hidden -> D, for one position."""

    def __init__(self, embed_dim: int, hidden_dim: Optional[int] = None) -> None:
        """embed_dim: D. hidden_dim: width of the hidden layer, 4 * D when it is None."""
        super().__init__()
        hidden = 4 * embed_dim if hidden_dim is None else hidden_dim
        self.fc1 = Linear(embed_dim, hidden)
        self.fc2 = Linear(hidden, embed_dim)

    def forward(self, x: List[Value]) -> List[Value]:
        """x: (D,) -> (D,)."""
        result: List[Value] = self.fc2([h.relu() for h in self.fc1(x)])
        return result


class TransformerBlock(Module):
    """Pre-norm block with residuals: y = x + MHA(LN(x)), z = y + FFN(LN(y)), each LN with its own weights."""

    def __init__(self, embed_dim: int, num_heads: int) -> None:
        """embed_dim: D. num_heads: H, a divisor of D."""
        super().__init__()
        self.ln1 = LayerNorm(embed_dim)
        self.attention = MultiHeadAttention(embed_dim, num_heads)
        self.ln2 = LayerNorm(embed_dim)
        self.ffn = FeedForward(embed_dim)

    def forward(self, x: List[List[Value]]) -> List[List[Value]]:
        """x: (T, D) -> (T, D). Causal: row i depends on rows 0..i only."""
        attended = self.attention([self.ln1(row) for row in x])
        y = [[a + b for a, b in zip(*rows)] for rows in zip(x, attended)]
        return [[a + b for a, b in zip(row, self.ffn(self.ln2(row)))] for row in y]
