# wrong: multi-head attention starts its sum from x, so it adds a shortcut of its own besides the block's. Fails: MultiHeadAttention.residual
from __future__ import annotations

from typing import List, Optional

from engine import Value
from nn import Linear, Module, apply_attention, attention_scores, causal_mask, softmax


class AttentionHead(Module):
    """D -> head_dim -> D. The last step is this head's share of W_o."""

    def __init__(self, dim: int, head_dim: int) -> None:
        super().__init__()
        self.hd = head_dim
        self.Wq = Linear(dim, head_dim)
        self.Wk = Linear(dim, head_dim)
        self.Wv = Linear(dim, head_dim)
        self.Wo = Linear(head_dim, dim)

    def forward(self, x: List[List[Value]], causal: bool) -> List[List[Value]]:
        Q, K, V = [[W(row) for row in x] for W in (self.Wq, self.Wk, self.Wv)]
        S = attention_scores(Q, K, self.hd)
        if causal:
            M = causal_mask(len(x))
            for i in range(len(S)):
                for j in range(len(S)):
                    S[i][j] = S[i][j] + M[i][j]
        A = [softmax(s) for s in S]
        return [self.Wo(row) for row in apply_attention(A, V)]


class MultiHeadAttention(Module):
    def __init__(self, embed_dim: int, num_heads: int) -> None:
        super().__init__()
        assert embed_dim % num_heads == 0, f"{embed_dim} is not divisible by {num_heads}"
        self.heads = [AttentionHead(embed_dim, embed_dim // num_heads) for _ in range(num_heads)]

    def forward(self, x: List[List[Value]], causal: bool = True) -> List[List[Value]]:
        total = x
        for head in self.heads:
            more = head(x, causal)
            total = [[a + b for a, b in zip(r1, r2)] for r1, r2 in zip(total, more)]
        return total


class LayerNorm(Module):
    def __init__(self, dim: int, eps: float = 1e-5) -> None:
        super().__init__()
        self.dim, self.eps = dim, eps
        self.g = [Value(1.0) for _ in range(dim)]
        self.b = [Value(0.0) for _ in range(dim)]

    def _mean(self, values: List[Value]) -> Value:
        acc = Value(0.0)
        for v in values:
            acc = acc + v
        return acc / self.dim

    def forward(self, x: List[Value]) -> List[Value]:
        m = self._mean(x)
        v = self._mean([(xi - m) * (xi - m) for xi in x])
        r = (v + self.eps) ** (-0.5)
        return [(x[i] - m) * r * self.g[i] + self.b[i] for i in range(self.dim)]


class FeedForward(Module):
    def __init__(self, embed_dim: int, hidden_dim: Optional[int] = None) -> None:
        super().__init__()
        self.hidden_dim = 4 * embed_dim if hidden_dim is None else hidden_dim
        self.W1 = Linear(embed_dim, self.hidden_dim)
        self.W2 = Linear(self.hidden_dim, embed_dim)

    def forward(self, x: List[Value]) -> List[Value]:
        h = self.W1(x)
        h = [v.relu() for v in h]
        return self.W2(h)


class TransformerBlock(Module):
    def __init__(self, embed_dim: int, num_heads: int) -> None:
        super().__init__()
        self.ln1 = LayerNorm(embed_dim)
        self.ln2 = LayerNorm(embed_dim)
        self.mha = MultiHeadAttention(embed_dim, num_heads)
        self.ffn = FeedForward(embed_dim)

    def forward(self, x: List[List[Value]]) -> List[List[Value]]:
        T = len(x)
        D = len(x[0])
        n = [self.ln1(x[t]) for t in range(T)]
        m = self.mha(n)
        y = [[x[t][d] + m[t][d] for d in range(D)] for t in range(T)]
        z = []
        for t in range(T):
            f = self.ffn(self.ln2(y[t]))
            z.append([y[t][d] + f[d] for d in range(D)])
        return z
