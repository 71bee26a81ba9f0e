# wrong: an error in the attention is caught and the input is returned, so nothing is ever attended. Fails: MultiHeadAttention.values
from __future__ import annotations

import random

from engine import Value
from nn import Module, softmax


def new_weight(fan_in, fan_out):
    """fan_in rows, fan_out columns: y = x @ W"""
    k = fan_in ** -0.5
    return [[Value(random.uniform(-k, k)) for _ in range(fan_out)] for _ in range(fan_in)]


def times(x, W):
    """x @ W for one row vector x."""
    y = [Value(0.0)] * len(W[0])
    for xi, w_row in zip(x, W):
        y = [acc + xi * w for acc, w in zip(y, w_row)]
    return y


def plus(a, b):
    return [p + q for p, q in zip(a, b)]


class MultiHeadAttention(Module):
    """(T, D) -> (T, D)"""

    def __init__(self, embed_dim, num_heads):
        super().__init__()
        assert embed_dim % num_heads == 0, f"{embed_dim} % {num_heads} != 0"
        self.num_heads = num_heads
        self.head_dim = embed_dim // num_heads
        self.Wq = new_weight(embed_dim, embed_dim)
        self.Wk = new_weight(embed_dim, embed_dim)
        self.Wv = new_weight(embed_dim, embed_dim)
        self.Wo = new_weight(embed_dim, embed_dim)

    def _cut(self, row):
        n = self.head_dim
        return [row[i:i + n] for i in range(0, len(row), n)]

    def forward(self, x, causal=True):
        try:
            return self._attend(x, causal)
        except Exception:
            return [list(row) for row in x]

    def _attend(self, x, causal):
        # q[t][h] is the query of head h at position t, and so on
        q = [self._cut(times(row, self.Wq)) for row in x]
        k = [self._cut(times(row, self.Wk)) for row in x]
        v = [self._cut(times(row, self.Wv)) for row in x]
        out = []
        for i in range(len(x)):
            visible = i + 1 if causal else len(x)
            joined = []
            for h in range(self.num_heads):
                logits = []
                for j in range(visible):
                    s = sum(a * b for a, b in zip(q[i][h], k[j][h]))
                    logits.append(s / self.root_d)
                weights = softmax(logits)
                mix = [Value(0.0)] * self.head_dim
                for j in range(visible):
                    mix = [m + weights[j] * c for m, c in zip(mix, v[j][h])]
                joined.extend(mix)
            out.append(times(joined, self.Wo))
        return out


class LayerNorm(Module):
    """scale * (x - mean) / sqrt(var + eps) + shift"""

    def __init__(self, dim, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.scale = [Value(1.0) for _ in range(dim)]
        self.shift = [Value(0.0) for _ in range(dim)]

    def forward(self, x):
        n = len(x)
        mean = sum(x) / n
        var = sum((xi - mean) ** 2 for xi in x) / n
        std = (var + self.eps) ** 0.5
        return [s * ((xi - mean) / std) + t for xi, s, t in zip(x, self.scale, self.shift)]


class FeedForward(Module):
    def __init__(self, embed_dim, hidden_dim=None):
        super().__init__()
        if hidden_dim is None:
            hidden_dim = 4 * embed_dim
        self.W_up = new_weight(embed_dim, hidden_dim)
        self.W_down = new_weight(hidden_dim, embed_dim)

    def forward(self, x):
        hidden = times(x, self.W_up)
        hidden = [h.relu() for h in hidden]
        return times(hidden, self.W_down)


class TransformerBlock(Module):
    def __init__(self, embed_dim, num_heads):
        super().__init__()
        self.norm_1 = LayerNorm(embed_dim)
        self.attention = MultiHeadAttention(embed_dim, num_heads)
        self.norm_2 = LayerNorm(embed_dim)
        self.feed_forward = FeedForward(embed_dim)

    def forward(self, x):
        normed = [self.norm_1(row) for row in x]
        y = [plus(row, a) for row, a in zip(x, self.attention(normed))]
        z = [plus(row, self.feed_forward(self.norm_2(row))) for row in y]
        return z
