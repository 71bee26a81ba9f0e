# wrong: a home-made ReLU passes the gradient on with slope 1 also where the unit is switched off. Fails: FeedForward.gradient
from __future__ import annotations

from engine import Value
from nn import Linear, Module


def log_softmax(scores):
    top = max(s.data for s in scores)
    shifted = [s - top for s in scores]
    total = Value(0.0)
    for s in shifted:
        total = total + s.exp()
    log_total = total.log()
    return [s - log_total for s in shifted]


class MultiHeadAttention(Module):
    def __init__(self, embed_dim: int, num_heads: int) -> None:
        super().__init__()
        assert num_heads > 0 and embed_dim % num_heads == 0
        self.head_dim = embed_dim // num_heads
        self.offsets = range(0, embed_dim, self.head_dim)
        self.to_q = Linear(embed_dim, embed_dim, bias=False)
        self.to_kv = Linear(embed_dim, 2 * embed_dim, bias=False)
        self.to_out = Linear(embed_dim, embed_dim)
        self.root = self.head_dim ** -0.25  # a quarter on each side makes 1/sqrt(head_dim)

    def step(self, q, past):
        """One query row against the (k, v) pairs it may see."""
        row = []
        for o in self.offsets:
            window = slice(o, o + self.head_dim)
            mine = [a * self.root for a in q[window]]
            logits = []
            for k, _ in past:
                s = Value(0.0)
                for a, b in zip(mine, k[window]):
                    s = s + a * (b * self.root)
                logits.append(s)
            acc = [Value(0.0)] * self.head_dim
            for lw, (_, v) in zip(log_softmax(logits), past):
                w = lw.exp()
                acc = [a + w * b for a, b in zip(acc, v[window])]
            row.extend(acc)
        return self.to_out(row)

    def forward(self, x: list[list[Value]], causal: bool = True) -> list[list[Value]]:
        pairs = []
        for row in x:
            both = self.to_kv(row)
            pairs.append((both[: len(both) // 2], both[len(both) // 2 :]))
        return [self.step(self.to_q(row), pairs[: t + 1] if causal else pairs) for t, row in enumerate(x)]


class LayerNorm(Module):
    def __init__(self, dim: int, eps: float = 1e-5) -> None:
        super().__init__()
        self.eps = eps
        self.affine = [(Value(1.0), Value(0.0)) for _ in range(dim)]

    def forward(self, x: list[Value]) -> list[Value]:
        mean, squares = Value(0.0), Value(0.0)
        for n, v in enumerate(x, start=1):
            before = v - mean
            mean = mean + before / n
            squares = squares + before * (v - mean)
        inverse = (squares / len(x) + self.eps) ** -0.5
        return [(v - mean) * inverse * scale + shift for v, (scale, shift) in zip(x, self.affine)]


def positive_part(v):
    out = Value(v.data if v.data > 0 else 0.0, (v,), "relu")

    def _backward():
        v.grad += out.grad

    out._backward = _backward
    return out


class FeedForward(Module):
    def __init__(self, embed_dim: int, hidden_dim: int | None = None) -> None:
        super().__init__()
        self.wide = Linear(embed_dim, 4 * embed_dim if hidden_dim is None else hidden_dim, bias=False)
        self.back = Linear(self.wide.out_features, embed_dim, bias=False)

    def forward(self, x: list[Value]) -> list[Value]:
        return self.back([positive_part(v) for v in self.wide(x)])


class TransformerBlock(Module):
    def __init__(self, embed_dim: int, num_heads: int) -> None:
        super().__init__()
        self.ln_a, self.ln_f = LayerNorm(embed_dim), LayerNorm(embed_dim)
        self.attn = MultiHeadAttention(embed_dim, num_heads)
        self.ffn = FeedForward(embed_dim)

    def forward(self, x: list[list[Value]], causal: bool = True) -> list[list[Value]]:
        moved = self.attn([self.ln_a(row) for row in x], causal)
        y = [[a + b for a, b in zip(row, delta)] for row, delta in zip(x, moved)]
        z = []
        for row in y:
            delta = self.ffn(self.ln_f(row))
            z.append([a + b for a, b in zip(row, delta)])
        return z
