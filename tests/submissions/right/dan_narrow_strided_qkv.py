# right: narrow heads on every num_heads-th channel with only q, k, v of their own, masked keys are skipped, one final projection
from __future__ import annotations

import typing as t

from engine import Value
from nn import Linear, Module

Row = t.List[Value]
Table = t.List[Row]


def weights_of(logits: Row) -> Row:
    top = max(v.data for v in logits)
    e = [(v - top).exp() for v in logits]
    total = e[0]
    for term in e[1:]:
        total = total + term
    inverse = total ** -1
    return [term * inverse for term in e]


class SmallHead(Module):
    """q, k and v inside one slice of d channels. No output layer here, the parent has one."""

    def __init__(self, d: int) -> None:
        super().__init__()
        self.q = Linear(d, d)
        self.k = Linear(d, d)
        self.v = Linear(d, d)
        self.root = d ** 0.25  # half of the scale goes on q, half on k

    def forward(self, rows: Table, causal: bool) -> Table:
        q = [[c / self.root for c in self.q(r)] for r in rows]
        k = [[c / self.root for c in self.k(r)] for r in rows]
        v = [self.v(r) for r in rows]
        out: Table = []
        for i in range(len(rows)):
            visible = i + 1 if causal else len(rows)
            w = weights_of([sum(a * b for a, b in zip(q[i], k[j])) for j in range(visible)])
            out.append([sum(w[j] * v[j][c] for j in range(visible)) for c in range(len(v[0]))])
        return out


class MultiHeadAttention(Module):
    def __init__(self, embed_dim: int, num_heads: int) -> None:
        super().__init__()
        assert embed_dim % num_heads == 0, (embed_dim, num_heads)
        self.H = num_heads
        self.small = tuple(SmallHead(embed_dim // num_heads) for _ in range(num_heads))
        self.mix = Linear(embed_dim, embed_dim, bias=False)

    def forward(self, x: Table, causal: bool = True) -> Table:
        outs = [head([row[h :: self.H] for row in x], causal) for h, head in enumerate(self.small)]
        return [self.mix([c for o in outs for c in o[i]]) for i in range(len(x))]


class LayerNorm(Module):
    def __init__(self, dim: int, eps: float = 1e-5) -> None:
        super().__init__()
        self.eps = eps
        self.weight = [Value(1) for _ in range(dim)]
        self.bias = [Value(0) for _ in range(dim)]

    def forward(self, x: Row) -> Row:
        mu = sum(x) / len(x)
        centred = [v - mu for v in x]
        sigma = (sum(c ** 2 for c in centred) / len(x) + self.eps) ** 0.5
        return [w * (c / sigma) + b for w, c, b in zip(self.weight, centred, self.bias)]


class FeedForward(Module):
    def __init__(self, embed_dim: int, hidden_dim: t.Optional[int] = None) -> None:
        super().__init__()
        width = hidden_dim if hidden_dim is not None else embed_dim * 4
        self.up = Linear(embed_dim, width, bias=False)
        self.down = Linear(width, embed_dim, bias=False)

    def forward(self, x: Row) -> Row:
        hidden = [h if h.data > 0 else Value(0.0) for h in self.up(x)]
        return self.down(hidden)


class TransformerBlock(Module):
    def __init__(self, embed_dim: int, num_heads: int) -> None:
        super().__init__()
        self.norm_a = LayerNorm(embed_dim)
        self.norm_f = LayerNorm(embed_dim)
        self.attention = MultiHeadAttention(embed_dim, num_heads)
        self.feed = FeedForward(embed_dim)

    def forward(self, x: Table, causal: bool = True) -> Table:
        a = self.attention(list(map(self.norm_a, x)), causal)
        y = [[p + q for p, q in zip(x[i], a[i])] for i in range(len(x))]
        z: Table = []
        for row in y:
            f = self.feed(self.norm_f(row))
            z.append([p + q for p, q in zip(row, f)])
        return z
