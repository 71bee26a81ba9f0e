# wrong: keeps head_dim ** -0.5 under the name scale and then divides by it, so the logits are head_dim times too large. Fails: MultiHeadAttention.values
from __future__ import annotations

from typing import List, Optional

from engine import Value
from nn import Linear, Module, softmax

Array1 = List[Value]
Array2 = List[Array1]


def reshape_heads(row: Array1, num_heads: int) -> Array2:
    """(H*w,) -> (H, w), like row.reshape(H, -1)"""
    width = len(row) // num_heads
    return [row[i * width : (i + 1) * width] for i in range(num_heads)]


def ravel(a: Array2) -> Array1:
    return [v for r in a for v in r]


def row_times(v: Array1, m: Array2) -> Array1:
    """v @ m"""
    return [sum(vi * mi[c] for vi, mi in zip(v, m)) for c in range(len(m[0]))]


class MultiHeadAttention(Module):
    def __init__(self, embed_dim: int, num_heads: int) -> None:
        assert embed_dim % num_heads == 0, (embed_dim, num_heads)
        super().__init__()
        self.n = num_heads
        self.d = embed_dim // num_heads
        self.scale = self.d**-0.5
        self.q_proj = Linear(embed_dim, embed_dim, bias=False)
        self.kv_proj = Linear(embed_dim, 2 * embed_dim, bias=False)
        self.o_proj = Linear(embed_dim, embed_dim)

    def forward(self, x: Array2, causal: bool = True) -> Array2:
        q = [reshape_heads(self.q_proj(r), self.n) for r in x]  # (T, H, d)
        kv = [reshape_heads(self.kv_proj(r), self.n) for r in x]  # (T, H, 2d)
        k = [[head[: self.d] for head in r] for r in kv]  # (T, H, d)
        v = [[head[self.d :] for head in r] for r in kv]  # (T, H, d)

        out = []
        for t in range(len(x)):
            seen = t + 1 if causal else len(x)
            row = []
            for h in range(self.n):
                qt = [e / self.scale for e in q[t][h]]
                logits = [sum(a * b for a, b in zip(qt, k[s][h])) for s in range(seen)]
                row.append(row_times(softmax(logits), [v[s][h] for s in range(seen)]))
            out.append(self.o_proj(ravel(row)))
        return out


class LayerNorm(Module):
    def __init__(self, dim: int, eps: float = 1e-5) -> None:
        super().__init__()
        self.eps = eps
        # (2, dim): row 0 multiplies, row 1 is added
        self.affine = [[Value(1.0) for _ in range(dim)], [Value(0.0) for _ in range(dim)]]

    def forward(self, x: Array1) -> Array1:
        g, b = self.affine
        n = float(len(x))
        mu = sum(x) / n
        xc = [e - mu for e in x]
        sd = (sum(e**2 for e in xc) / n + self.eps) ** 0.5
        return [e / sd * gi + bi for e, gi, bi in zip(xc, g, b)]


class FeedForward(Module):
    def __init__(self, embed_dim: int, hidden_dim: Optional[int] = None) -> None:
        super().__init__()
        h = hidden_dim if hidden_dim is not None else embed_dim * 4
        self.lin_in, self.lin_out = Linear(embed_dim, h), Linear(h, embed_dim)

    def forward(self, x: Array1) -> Array1:
        a = [u if u.data > 0 else Value(0.0) for u in self.lin_in(x)]
        return self.lin_out(a)


class TransformerBlock(Module):
    def __init__(self, embed_dim: int, num_heads: int) -> None:
        super().__init__()
        self.pre_attn, self.pre_ffn = LayerNorm(embed_dim), LayerNorm(embed_dim)
        self.attn = MultiHeadAttention(embed_dim, num_heads)
        self.ffn = FeedForward(embed_dim)

    def forward(self, x: Array2) -> Array2:
        a = self.attn([self.pre_attn(r) for r in x], causal=True)
        out = []
        for xr, ar in zip(x, a):
            y = [u + w for u, w in zip(xr, ar)]
            f = self.ffn(self.pre_ffn(y))
            out.append([u + w for u, w in zip(y, f)])
        return out
