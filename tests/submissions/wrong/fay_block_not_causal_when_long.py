# wrong: beyond six rows the attention is called without its mask. Fails: TransformerBlock.values
from __future__ import annotations

from typing import List, Optional

from engine import Value
from nn import Linear, Module, softmax


class MultiHeadAttention(Module):
    """One fused projection for q, k and v; only visible keys are ever scored."""

    def __init__(self, embed_dim: int, num_heads: int) -> None:
        super().__init__()
        assert embed_dim % num_heads == 0, "embed_dim must be divisible by num_heads"
        self.d_model, self.n_heads = embed_dim, num_heads
        self.d_head = embed_dim // num_heads
        self.qkv = Linear(embed_dim, 3 * embed_dim, bias=False)
        self.proj = Linear(embed_dim, embed_dim)

    def forward(self, x: List[List[Value]], causal: bool = True) -> List[List[Value]]:
        T, D, d = len(x), self.d_model, self.d_head
        packed = [self.qkv(row) for row in x]
        q = [row[:D] for row in packed]
        k = [row[D:2 * D] for row in packed]
        v = [row[2 * D:] for row in packed]
        result = []
        for i in range(T):
            first, stop = 0, (i + 1 if causal else T)
            context = []
            for h in range(self.n_heads):
                chans = range(h * d, (h + 1) * d)
                logits = [sum(q[i][c] * k[j][c] for c in chans) * (d ** -0.5) for j in range(first, stop)]
                probs = softmax(logits)
                for c in chans:
                    context.append(sum(p * v[j][c] for p, j in zip(probs, range(first, stop))))
            result.append(self.proj(context))
        return result


class LayerNorm(Module):
    def __init__(self, dim: int, eps: float = 1e-5) -> None:
        super().__init__()
        self.dim, self.eps = dim, eps
        self.weight = [Value(1.0) for _ in range(dim)]
        self.bias = [Value(0.0) for _ in range(dim)]

    def forward(self, x: List[Value]) -> List[Value]:
        mu = sum(x) * (1.0 / self.dim)
        centred = [xi - mu for xi in x]
        var = sum(c * c for c in centred) * (1.0 / self.dim)
        rstd = (var + self.eps) ** -0.5
        return [c * rstd * w + b for c, w, b in zip(centred, self.weight, self.bias)]


class FeedForward(Module):
    def __init__(self, embed_dim: int, hidden_dim: Optional[int] = None) -> None:
        super().__init__()
        hidden = hidden_dim if hidden_dim is not None else 4 * embed_dim
        self.layers = [Linear(embed_dim, hidden), Linear(hidden, embed_dim)]

    def forward(self, x: List[Value]) -> List[Value]:
        up, down = self.layers
        h = up(x)
        h = [u.relu() for u in h]
        return down(h)


class TransformerBlock(Module):
    def __init__(self, embed_dim: int, num_heads: int) -> None:
        super().__init__()
        self.norm_a = LayerNorm(embed_dim)
        self.norm_b = LayerNorm(embed_dim)
        self.attention = MultiHeadAttention(embed_dim, num_heads)
        self.mlp = FeedForward(embed_dim)

    def forward(self, x: List[List[Value]]) -> List[List[Value]]:
        n = [self.norm_a(r) for r in x]
        a = self.attention(n, causal=len(x) <= 6)
        y = []
        for xr, ar in zip(x, a):
            y.append([xi + ai for xi, ai in zip(xr, ar)])
        z = []
        for yr in y:
            f = self.mlp(self.norm_b(yr))
            z.append([yi + fi for yi, fi in zip(yr, f)])
        return z
