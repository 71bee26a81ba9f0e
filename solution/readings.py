"""The accepted readings of the text in one file: the reference with an option for each way of being right.

It is asked the same probes as a hand-in, through the same door; `grader/readings.py` names the options. Every step
is a method of its own, so that a file in `misconceptions/`, appended to this text, overrides just the faulty one.
"""

from __future__ import annotations

from typing import Any, List, Optional, Tuple

from engine import Value
from nn import Linear, Module, apply_attention, attention_scores, causal_mask, softmax

Rows = List[List[Value]]
Options = Tuple[Tuple[str, Any], ...]


def add(one: Rows, other: Rows) -> Rows:
    """The sum of two (T, D), in new lists."""
    return [[a + b for a, b in zip(*rows)] for rows in zip(one, other)]


class Head(Module):
    """One head: its projections read ``width`` channels, its output has head_dim channels."""

    def __init__(self, embed_dim: int, num_heads: int, width: int, biases: Tuple[bool, bool, bool]) -> None:
        super().__init__()
        self.embed_dim, self.num_heads, self.head_dim = embed_dim, num_heads, embed_dim // num_heads
        self.W_q, self.W_k, self.W_v = (Linear(width, self.head_dim, bias=bias) for bias in biases)

    def forward(self, x: Rows, causal: bool) -> Rows:
        """x: (T, width) -> (T, head_dim)."""
        q, k, v = self.project(x)
        return apply_attention(self.weights(self.scores(q, k), causal), v)

    def project(self, x: Rows) -> Tuple[Rows, Rows, Rows]:
        """Queries, keys and values, (T, head_dim) each."""
        return [self.W_q(r) for r in x], [self.W_k(r) for r in x], [self.W_v(r) for r in x]

    def scores(self, q: Rows, k: Rows) -> Rows:
        """(T, T): query i against key j, divided by the square root of ``size()``."""
        return attention_scores(q, k, self.size())

    def size(self) -> int:
        return self.head_dim

    def weights(self, scores: Rows, causal: bool) -> Rows:
        """(T, T): what each query takes of each value."""
        return self.normalised(self.masked(scores, causal))

    def masked(self, scores: Rows, causal: bool) -> Rows:
        if not causal:
            return scores
        return [[s + m for s, m in zip(*rows)] for rows in zip(scores, self.mask(len(scores)))]

    def mask(self, T: int) -> List[List[float]]:
        return causal_mask(T)

    def normalised(self, scores: Rows) -> Rows:
        return [softmax(row) for row in scores]


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
        self.slices = self.reaches(reach, num_heads, d)
        width = embed_dim if reach == "all" else d
        self.heads = [Head(embed_dim, num_heads, width, (q_bias, k_bias, v_bias)) for _ in range(num_heads)]
        self.inner = [Linear(d, d, bias=inner_bias) for _ in range(num_heads)] if inner else None
        self.W_o = Linear(embed_dim, embed_dim, bias=out_bias == "one")
        each = num_heads if out_bias == "each" else 0
        self.biases = [[Value(0.0) for _ in range(embed_dim)] for _ in range(each)]

    def reaches(self, reach: str, H: int, d: int) -> List[slice]:
        """The channels of x that each head reads."""
        if reach == "stride":
            return [slice(h, None, H) for h in range(H)]
        return [slice(None) if reach == "all" else slice(h * d, (h + 1) * d) for h in range(H)]

    def forward(self, x: Rows, causal: bool = True) -> Rows:
        """x: (T, D) -> (T, D)."""
        return self.projected(self.joined(self.mixed(self.attended(x, causal))))

    def attended(self, x: Rows, causal: bool) -> List[Rows]:
        """(H, T, head_dim): what each head makes of its channels."""
        return [head([row[own] for row in x], causal) for head, own in zip(self.heads, self.slices)]

    def mixed(self, heads: List[Rows]) -> List[Rows]:
        """Each head through its inner projection, under the readings that have one."""
        return [[inner(row) for row in rows] for inner, rows in zip(self.inner, heads)] if self.inner else heads

    def joined(self, heads: List[Rows]) -> Rows:
        """(T, D): the heads side by side, position by position."""
        return [[v for rows in heads for v in rows[t]] for t in range(len(heads[0]))]

    def projected(self, rows: Rows) -> Rows:
        out = [self.W_o(row) for row in rows]
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
        return self.affine(self.normalised(x))

    def normalised(self, x: List[Value]) -> List[Value]:
        centred = self.centred(x)
        factor = self.factor(self.variance(centred))
        return [c * factor for c in centred]

    def mean(self, x: List[Value]) -> Value:
        return sum(x) * (1.0 / len(x))  # type: ignore[return-value]  # sum() of no Values would be 0

    def centred(self, x: List[Value]) -> List[Value]:
        mean = self.mean(x)
        return [xi - mean for xi in x]

    def variance(self, centred: List[Value]) -> Value:
        return self.mean([c * c for c in centred])

    def factor(self, variance: Value) -> Value:
        """What the deviations are multiplied by: one over the standard deviation."""
        return (variance + self.eps) ** -0.5

    def affine(self, normalised: List[Value]) -> List[Value]:
        return [n * (g + self.offset) + b for n, g, b in zip(normalised, self.scale, self.shift)]


class FeedForward(Module):
    """Two layers, each with a bias or without."""

    def __init__(
        self, embed_dim: int, hidden_dim: Optional[int] = None, bias1: bool = True, bias2: bool = True
    ) -> None:
        super().__init__()
        hidden = self.width(embed_dim, hidden_dim)
        self.fc1 = Linear(embed_dim, hidden, bias=bias1)
        self.fc2 = Linear(hidden, embed_dim, bias=bias2)

    def width(self, embed_dim: int, hidden_dim: Optional[int]) -> int:
        return 4 * embed_dim if hidden_dim is None else hidden_dim

    def forward(self, x: List[Value]) -> List[Value]:
        """x: (D,) -> (D,)."""
        return self.fc2([self.activated(h) for h in self.fc1(x)])  # type: ignore[no-any-return]  # Module answers Any

    def activated(self, h: Value) -> Value:
        return h.relu()


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
        y = add(x, self.attended(self.normed(self.ln1, x)))
        return add(y, self.fed(self.normed(self.ln2, y)))

    def normed(self, norm: Module, x: Rows) -> Rows:
        return [norm(row) for row in x]

    def attended(self, x: Rows) -> Rows:
        return self.attention(x)  # type: ignore[no-any-return]  # as above

    def fed(self, x: Rows) -> Rows:
        return [self.ffn(row) for row in x]
