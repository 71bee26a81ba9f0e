"""Multi-head attention and a pre-norm transformer block. This is the file you fill in and hand in.

Every method that raises NotImplementedError is yours. Keep the class names, the method names and the
signatures; everything else (attributes, helpers, layout of the weights) is free. No NumPy: lists of Values.
"""

from __future__ import annotations

from typing import List, Optional

from engine import Value
from nn import Linear, Module, SelfAttention, apply_attention, attention_scores, causal_mask, softmax


class MultiHeadAttention(Module):
    """Self-attention in num_heads heads of size head_dim = embed_dim // num_heads.

    Each head attends on its own; the heads' outputs are concatenated and go through a final output
    projection. embed_dim must be divisible by num_heads, or construction fails with AssertionError.
    """

    def __init__(self, embed_dim: int, num_heads: int) -> None:
        """embed_dim: D, the width of a row. num_heads: H, a divisor of D."""
        raise NotImplementedError("TODO: MultiHeadAttention.__init__")

    def forward(self, x: List[List[Value]], causal: bool = True) -> List[List[Value]]:
        """x: (T, D) -> (T, D). With causal=True row i depends on rows 0..i only, with False on all rows."""
        raise NotImplementedError("TODO: MultiHeadAttention.forward")


class LayerNorm(Module):
    """Normalises one vector to mean 0 and variance 1, then applies a learnable scale and shift per channel."""

    def __init__(self, dim: int, eps: float = 1e-5) -> None:
        """dim: D, the length of the vector. eps: added to the variance, inside the square root."""
        raise NotImplementedError("TODO: LayerNorm.__init__")

    def forward(self, x: List[Value]) -> List[Value]:
        """x: (D,) -> (D,). The variance is divided by D. Scale starts at 1, shift at 0."""
        raise NotImplementedError("TODO: LayerNorm.forward")


class FeedForward(Module):
    """Two linear layers with a ReLU between them, D -> hidden -> D, for one position."""

    def __init__(self, embed_dim: int, hidden_dim: Optional[int] = None) -> None:
        """embed_dim: D. hidden_dim: width of the hidden layer, 4 * D when it is None."""
        raise NotImplementedError("TODO: FeedForward.__init__")

    def forward(self, x: List[Value]) -> List[Value]:
        """x: (D,) -> (D,)."""
        raise NotImplementedError("TODO: FeedForward.forward")


class TransformerBlock(Module):
    """Pre-norm block with residuals: y = x + MHA(LN(x)), z = y + FFN(LN(y)), each LN with its own weights."""

    def __init__(self, embed_dim: int, num_heads: int) -> None:
        """embed_dim: D. num_heads: H, a divisor of D."""
        raise NotImplementedError("TODO: TransformerBlock.__init__")

    def forward(self, x: List[List[Value]]) -> List[List[Value]]:
        """x: (T, D) -> (T, D). Causal: row i depends on rows 0..i only."""
        raise NotImplementedError("TODO: TransformerBlock.forward")
