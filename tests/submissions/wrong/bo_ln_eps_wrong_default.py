# wrong: the default eps is 1e-12 instead of 1e-5. Fails: LayerNorm.values
from __future__ import annotations
import random
from typing import List, Optional
from engine import Value
from nn import Module, softmax

# every weight row is [w_0, ..., w_{n-1}, bias]


def make(rows: int, cols: int) -> List[List[Value]]:
    r = 1 / cols ** 0.5
    W = []
    for _ in range(rows):
        row = [Value(random.uniform(-r, r)) for _ in range(cols)]
        row.append(Value(0.0))
        W.append(row)
    return W


def affine(W: List[List[Value]], x: List[Value]) -> List[Value]:
    out = []
    for row in W:
        s = row[-1]
        for i in range(len(x)):
            s = s + row[i] * x[i]
        out.append(s)
    return out


class MultiHeadAttention(Module):
    """Multi-head self-attention."""

    def __init__(self, embed_dim: int, num_heads: int) -> None:
        super().__init__()
        assert num_heads > 0 and embed_dim % num_heads == 0
        self.embed_dim = embed_dim
        self.num_heads = num_heads
        self.head_dim = embed_dim // num_heads
        self.Q = make(embed_dim, embed_dim)
        self.K = make(embed_dim, embed_dim)
        self.V = make(embed_dim, embed_dim)
        self.O = make(embed_dim, embed_dim)

    def forward(self, x: List[List[Value]], causal: bool = True) -> List[List[Value]]:
        T = len(x)
        q = [affine(self.Q, row) for row in x]
        k = [affine(self.K, row) for row in x]
        v = [affine(self.V, row) for row in x]
        out = []
        for i in range(T):
            concat = []
            for h in range(self.num_heads):
                first = h * self.head_dim
                last = first + self.head_dim
                allowed = []
                scores = []
                for j in range(T):
                    if causal and j > i:
                        continue
                    s = Value(0.0)
                    for c in range(first, last):
                        s = s + q[i][c] * k[j][c]
                    scores.append(s / self.head_dim ** 0.5)
                    allowed.append(j)
                weights = softmax(scores)
                for c in range(first, last):
                    s = Value(0.0)
                    for w, j in zip(weights, allowed):
                        s = s + w * v[j][c]
                    concat.append(s)
            out.append(affine(self.O, concat))
        return out


class LayerNorm(Module):
    """Layer normalization over one vector."""

    def __init__(self, dim: int, eps: float = 1e-12) -> None:
        super().__init__()
        self.dim = dim
        self.eps = eps
        # pairs (scale, shift)
        self.affine = [[Value(1.0), Value(0.0)] for _ in range(dim)]

    def forward(self, x: List[Value]) -> List[Value]:
        acc = Value(0.0)
        for a in x:
            acc = acc + a
        mean = acc / self.dim
        squares = Value(0.0)
        for a in x:
            squares = squares + (a - mean) ** 2
        std = (squares / self.dim + self.eps) ** 0.5
        out = []
        for a, (scale, shift) in zip(x, self.affine):
            out.append((a - mean) / std * scale + shift)
        return out


class FeedForward(Module):
    """Two layers, ReLU between."""

    def __init__(self, embed_dim: int, hidden_dim: Optional[int] = None) -> None:
        super().__init__()
        if hidden_dim is None:
            hidden_dim = 4 * embed_dim
        self.W1 = make(hidden_dim, embed_dim)
        self.W2 = make(embed_dim, hidden_dim)

    def forward(self, x: List[Value]) -> List[Value]:
        hidden = []
        for h in affine(self.W1, x):
            hidden.append(h.relu())
        return affine(self.W2, hidden)


class TransformerBlock(Module):
    """Pre-norm block: y = x + MHA(LN(x)), z = y + FFN(LN(y))."""

    def __init__(self, embed_dim: int, num_heads: int) -> None:
        super().__init__()
        self.ln1 = LayerNorm(embed_dim)
        self.ln2 = LayerNorm(embed_dim)
        self.mha = MultiHeadAttention(embed_dim, num_heads)
        self.ffn = FeedForward(embed_dim)

    def forward(self, x: List[List[Value]]) -> List[List[Value]]:
        normed = []
        for row in x:
            normed.append(self.ln1(row))
        attn = self.mha(normed)
        z = []
        for t in range(len(x)):
            y_row = []
            for d in range(len(x[t])):
                y_row.append(x[t][d] + attn[t][d])
            f = self.ffn(self.ln2(y_row))
            z_row = []
            for d in range(len(y_row)):
                z_row.append(y_row[d] + f[d])
            z.append(z_row)
        return z
