# right: sums, dot products and softmax as Values made by hand with a backward of their own, some without a name, one named "+" with many children
from engine import Value
from nn import Linear, Module
import math


def vsum(vals):
    vals = list(vals)
    out = Value(math.fsum(v.data for v in vals), tuple(vals), "+")

    def _backward():
        for v in vals:
            v.grad += out.grad

    out._backward = _backward
    return out


def vdot(a, b):
    a, b = list(a), list(b)
    out = Value(math.fsum(p.data * q.data for p, q in zip(a, b)), tuple(a) + tuple(b), "dot")

    def _backward():
        for p, q in zip(a, b):
            p.grad += q.data * out.grad
            q.grad += p.data * out.grad

    out._backward = _backward
    return out


def vrsqrt(v):
    out = Value(1.0 / math.sqrt(v.data), (v,))

    def _backward():
        v.grad += -0.5 * out.data ** 3 * out.grad

    out._backward = _backward
    return out


def vsoftmax(z):
    m = max(v.data for v in z)
    e = [math.exp(v.data - m) for v in z]
    tot = math.fsum(e)
    p = [a / tot for a in e]
    outs = []
    for i in range(len(z)):
        o = Value(p[i], tuple(z), "softmax")

        def _backward(i=i, o=o):
            for j, v in enumerate(z):
                v.grad += p[i] * ((i == j) - p[j]) * o.grad

        o._backward = _backward
        outs.append(o)
    return outs


class MultiHeadAttention(Module):
    def __init__(self, embed_dim, num_heads):
        super().__init__()
        assert embed_dim % num_heads == 0
        self.d = embed_dim // num_heads
        self.h = num_heads
        self.q, self.k, self.v, self.o = [Linear(embed_dim, embed_dim) for _ in range(4)]

    def forward(self, x, causal=True):
        q, k, v = [self.q(r) for r in x], [self.k(r) for r in x], [self.v(r) for r in x]
        res = []
        for i in range(len(x)):
            n = i + 1 if causal else len(x)
            row = []
            for s in range(0, self.d * self.h, self.d):
                p = vsoftmax([vdot(q[i][s:s + self.d], k[j][s:s + self.d]) * self.d ** -0.5 for j in range(n)])
                row += [vdot(p, [v[j][c] for j in range(n)]) for c in range(s, s + self.d)]
            res.append(self.o(row))
        return res


class LayerNorm(Module):
    def __init__(self, dim, eps=1e-5):
        super().__init__()
        self.g = [Value(1.0) for _ in range(dim)]
        self.b = [Value(0.0) for _ in range(dim)]
        self.eps = eps

    def forward(self, x):
        n = len(x)
        m = vsum(x) * (1 / n)
        c = [v - m for v in x]
        r = vrsqrt(vsum(a * a for a in c) * (1 / n) + self.eps)
        return [a * r * g + b for a, g, b in zip(c, self.g, self.b)]


class FeedForward(Module):
    def __init__(self, embed_dim, hidden_dim=None):
        super().__init__()
        width = embed_dim * 4 if hidden_dim is None else hidden_dim
        self.expand, self.contract = Linear(embed_dim, width), Linear(width, embed_dim)

    def forward(self, x):
        return self.contract([Value.relu(z) for z in self.expand.forward(x)])

class TransformerBlock(Module):
    def __init__(self, embed_dim, num_heads):
        super().__init__()
        self.attention = MultiHeadAttention(embed_dim, num_heads)
        self.feed_forward = FeedForward(embed_dim)
        self.norms = [LayerNorm(embed_dim), LayerNorm(embed_dim)]

    def forward(self, x):
        res = []
        att = self.attention([self.norms[0](p) for p in x], causal=True)
        for t in range(len(x)):
            y = [x[t][d] + att[t][d] for d in range(len(x[t]))]
            f = self.feed_forward(self.norms[1](y))
            res.append([y[d] + f[d] for d in range(len(y))])
        return res
