# right: constants are Values that are kept: one of the module, with a name, and a mask for each length in a dict of the instance
from __future__ import annotations

from typing import List, Optional

from engine import Value
from nn import Linear, Module, SelfAttention, apply_attention, attention_scores, causal_mask, softmax
ONE, HALF = Value(1.0, (), "one"), 0.5


class MultiHeadAttention(Module):
    heads = None
    qkv = None

    def __init__(self, embed_dim: int, num_heads: int) -> None:
        super().__init__()
        assert embed_dim % num_heads == 0
        self.heads = num_heads
        self.qkv = [Linear(embed_dim, embed_dim), Linear(embed_dim, embed_dim), Linear(embed_dim, embed_dim)]
        self.fc_out = Linear(embed_dim, embed_dim)
        self.masks = {}

    def forward(self, x: List[List[Value]], causal: bool = True) -> List[List[Value]]:
        N, E = len(x), len(x[0])
        hd = E // self.heads
        # reshape (N, E) -> (N, heads, hd)
        Q, K, V = ([[r[a:a + hd] for a in range(0, E, hd)] for r in map(f, x)] for f in self.qkv)
        energy = [[[sum(a * b for a, b in zip(Q[q][h], K[k][h])) / hd ** HALF for k in range(N)] for q in range(N)] for h in range(self.heads)]
        if causal:
            if N not in self.masks:
                self.masks[N] = [[Value(0.0 if k <= q else -1e9) for k in range(N)] for q in range(N)]
            mask = self.masks[N]
            energy = [[[e + m for e, m in zip(r, mr)] for r, mr in zip(head, mask)] for head in energy]
        attention = [[softmax(r) for r in m] for m in energy]
        out = [[[sum(attention[h][q][l] * V[l][h][d] for l in range(N)) for d in range(hd)] for h in range(self.heads)] for q in range(N)]
        return [self.fc_out([e for part in row for e in part]) for row in out]


class LayerNorm(Module):
    def __init__(self, dim: int, eps: float = 1e-5) -> None:
        super().__init__()
        self.gamma = [Value(1.0) for _ in range(dim)]
        self.beta = [Value(0.0) for _ in range(dim)]
        self.eps = eps

    def forward(self, x: List[Value]) -> List[Value]:
        mu = sum(x) / len(x)
        var = sum((v - mu) ** 2 for v in x) / len(x)
        inv = ONE / (var + self.eps) ** HALF
        return [g * (v - mu) * inv + b for g, v, b in zip(self.gamma, x, self.beta)]


class FeedForward(Module):
    """Two linear layers with a ReLU between them, D -> hidden -> D, for one position."""

    def __init__(self, embed_dim: int, hidden_dim: Optional[int] = None) -> None:
        super().__init__()
        hidden_dim = 4 * embed_dim if hidden_dim is None else hidden_dim
        self.up = Linear(embed_dim, hidden_dim)
        self.down = Linear(hidden_dim, embed_dim)

    def forward(self, x: List[Value]) -> List[Value]:
        h = self.up(x)
        h = [v.relu() for v in h]
        return self.down(h)


class TransformerBlock(Module):
    """Pre-norm block with residuals: y = x + MHA(LN(x)), z = y + FFN(LN(y)), each LN with its own weights."""

    def __init__(self, embed_dim: int, num_heads: int) -> None:
        super().__init__()
        self.mha = MultiHeadAttention(embed_dim, num_heads)
        self.ffn = FeedForward(embed_dim)
        self.norm1 = LayerNorm(embed_dim)
        self.norm2 = LayerNorm(embed_dim)

    def forward(self, x: List[List[Value]]) -> List[List[Value]]:
        att = self.mha([self.norm1(t) for t in x], causal=True)
        y = []
        for xr, ar in zip(x, att):
            y.append([a + b for a, b in zip(xr, ar)])
        z = []
        for yr in y:
            fr = self.ffn(self.norm2(yr))
            z.append([a + b for a, b in zip(yr, fr)])
        return z
