"""The accepted readings of the text in one file: the reference with an option for each way of being right.

It is asked the same probes as a hand-in, through the same door; `grader/readings.py` names the options.
"""

from __future__ import annotations

from typing import Any, List, Optional, Tuple

from engine import Value
from nn import Linear, Module, apply_attention, attention_scores, causal_mask, softmax

Rows = List[List[Value]]
Options = Tuple[Tuple[str, Any], ...]


class Head(Module):
    """One head: its projections read ``width`` channels, its output has head_dim channels."""

    def __init__(self, width: int, head_dim: int, q_bias: bool, k_bias: bool, v_bias: bool) -> None:
        super().__init__()
        self.W_q = Linear(width, head_dim, bias=q_bias)
        self.W_k = Linear(width, head_dim, bias=k_bias)
        self.W_v = Linear(width, head_dim, bias=v_bias)
        self.head_dim = head_dim

    def forward(self, x: Rows, causal: bool) -> Rows:
        """x: (T, width) -> (T, head_dim)."""
        scores = attention_scores([self.W_q(r) for r in x], [self.W_k(r) for r in x], self.head_dim)
        if causal:
            mask = causal_mask(len(x))
            scores = [[s + m for s, m in zip(*rows)] for rows in zip(scores, mask)]
        return apply_attention([softmax(row) for row in scores], [self.W_v(r) for r in x])


class MultiHeadAttention(Module):
    """Heads that each reach the whole row, a slice, or every num_heads-th channel; inner projection and biases or not.

    ``out_bias``: "one" for a projection of the concatenation with a bias, "none" without, "each" for a sum
    of per-head projections that has a bias in every one.
    """

    def __init__(
        self, embed_dim: int, num_heads: int, reach: str = "all", inner: bool = False, inner_bias: bool = False,
        out_bias: str = "one", q_bias: bool = True, k_bias: bool = True, v_bias: bool = True,
    ) -> None:  # fmt: skip
        super().__init__()
        assert embed_dim % num_heads == 0
        d = embed_dim // num_heads
        reaches = {
            "all": [slice(None)] * num_heads,
            "slice": [slice(h * d, (h + 1) * d) for h in range(num_heads)],
            "stride": [slice(h, None, num_heads) for h in range(num_heads)],
        }
        self.slices = reaches[reach]
        self.heads = [Head(embed_dim if reach == "all" else d, d, q_bias, k_bias, v_bias) for _ in range(num_heads)]
        self.inner = [Linear(d, d, bias=inner_bias) for _ in range(num_heads)] if inner else None
        self.W_o = Linear(embed_dim, embed_dim, bias=out_bias == "one")
        each = num_heads if out_bias == "each" else 0
        self.biases = [[Value(0.0) for _ in range(embed_dim)] for _ in range(each)]

    def forward(self, x: Rows, causal: bool = True) -> Rows:
        """x: (T, D) -> (T, D)."""
        heads = [head([row[own] for row in x], causal) for head, own in zip(self.heads, self.slices)]
        if self.inner is not None:
            heads = [[inner(row) for row in rows] for inner, rows in zip(self.inner, heads)]
        out = [self.W_o([v for rows in heads for v in rows[t]]) for t in range(len(x))]
        for bias in self.biases:
            out = [[v + b for v, b in zip(row, bias)] for row in out]
        return out


class LayerNorm(Module):
    """Scale as a factor that starts at 1, or as an offset from 1 that starts at 0."""

    def __init__(self, dim: int, eps: float = 1e-5, offset: bool = False) -> None:
        super().__init__()
        self.eps = eps
        self.offset = 1.0 if offset else 0.0
        self.scale = [Value(1.0 - self.offset) for _ in range(dim)]
        self.shift = [Value(0.0) for _ in range(dim)]

    def forward(self, x: List[Value]) -> List[Value]:
        """x: (D,) -> (D,)."""
        D = len(x)
        mean: Any = sum(x) * (1.0 / D)  # type: ignore[call-overload]  # sum() starts at 0 and Value has __radd__
        centred = [xi - mean for xi in x]
        variance: Any = sum(c * c for c in centred) * (1.0 / D)  # type: ignore[misc]  # as above
        rsqrt = (variance + self.eps) ** -0.5
        return [c * rsqrt * (g + self.offset) + b for c, g, b in zip(centred, self.scale, self.shift)]


class FeedForward(Module):
    """Two layers, each with a bias or without."""

    def __init__(
        self, embed_dim: int, hidden_dim: Optional[int] = None, bias1: bool = True, bias2: bool = True
    ) -> None:
        super().__init__()
        hidden = 4 * embed_dim if hidden_dim is None else hidden_dim
        self.fc1 = Linear(embed_dim, hidden, bias=bias1)
        self.fc2 = Linear(hidden, embed_dim, bias=bias2)

    def forward(self, x: List[Value]) -> List[Value]:
        """x: (D,) -> (D,)."""
        result: List[Value] = self.fc2([h.relu() for h in self.fc1(x)])
        return result


class TransformerBlock(Module):
    """The block with each part under a reading of its own."""

    def __init__(
        self, embed_dim: int, num_heads: int, attention: Options = (), feedforward: Options = (), norm: Options = ()
    ) -> None:
        super().__init__()
        self.ln1 = LayerNorm(embed_dim, **dict(norm))
        self.attention = MultiHeadAttention(embed_dim, num_heads, **dict(attention))
        self.ln2 = LayerNorm(embed_dim, **dict(norm))
        self.ffn = FeedForward(embed_dim, **dict(feedforward))

    def forward(self, x: Rows) -> Rows:
        """x: (T, D) -> (T, D)."""
        attended = self.attention([self.ln1(row) for row in x])
        y = [[a + b for a, b in zip(*rows)] for rows in zip(x, attended)]
        return [[a + b for a, b in zip(row, self.ffn(self.ln2(row)))] for row in y]
