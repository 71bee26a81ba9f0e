# wrong: the bias of the second layer stands inside the loop and is added once per hidden unit. Fails: FeedForward.values
from engine import *
from nn import *
import random


def my_softmax(scores):
    # the scores are small, no need to subtract the max
    e = [s.exp() for s in scores]
    total = e[0]
    for v in e[1:]:
        total = total + v
    inv = total ** -1
    return [v * inv for v in e]


def init(rows, cols):
    lim = (6.0 / (rows + cols)) ** 0.5
    return [[Value(random.uniform(-lim, lim)) for _ in range(cols)] for _ in range(rows)]


def apply(W, x):
    result = []
    for row in W:
        s = Value(0.0)
        for w, xi in zip(row, x):
            s = s + w * xi
        result.append(s)
    return result


class MultiHeadAttention(Module):
    def __init__(self, embed_dim: int, num_heads: int):
        super().__init__()
        assert embed_dim % num_heads == 0
        self.h = num_heads
        self.dh = embed_dim // num_heads
        self.dim = embed_dim
        # Wq[head][row][col]
        self.Wq = [init(self.dh, embed_dim) for _ in range(num_heads)]
        self.Wk = [init(self.dh, embed_dim) for _ in range(num_heads)]
        self.Wv = [init(self.dh, embed_dim) for _ in range(num_heads)]
        # concat followed by W_o is the same as adding up one (D, dh) matrix per head
        self.Wo = [init(embed_dim, self.dh) for _ in range(num_heads)]

    def forward(self, x, causal: bool = True):
        n = len(x)
        out = [[Value(0.0) for _ in range(self.dim)] for _ in range(n)]
        for h in range(self.h):
            q = [apply(self.Wq[h], r) for r in x]
            k = [apply(self.Wk[h], r) for r in x]
            v = [apply(self.Wv[h], r) for r in x]
            for i in range(n):
                row = []
                for j in range(n):
                    s = Value(0.0)
                    for c in range(self.dh):
                        s = s + q[i][c] * k[j][c]
                    s = s / self.dh ** 0.5
                    if causal and j > i:
                        s = s + (-1e9)
                    row.append(s)
                p = my_softmax(row)
                ctx = []
                for c in range(self.dh):
                    s = Value(0.0)
                    for j in range(n):
                        s = s + p[j] * v[j][c]
                    ctx.append(s)
                add = apply(self.Wo[h], ctx)
                out[i] = [a + b for a, b in zip(out[i], add)]
        return out


class LayerNorm(Module):
    def __init__(self, dim: int, eps: float = 1e-5):
        super().__init__()
        self.n = dim
        self.eps = eps
        self.weight = [Value(1.0) for _ in range(dim)]
        self.bias = [Value(0.0) for _ in range(dim)]

    def forward(self, x):
        m = Value(0.0)
        for xi in x:
            m = m + xi / self.n
        var = Value(0.0)
        for xi in x:
            var = var + ((xi - m) ** 2) / self.n
        sd = (var + self.eps) ** 0.5
        out = []
        for xi, w, b in zip(x, self.weight, self.bias):
            out.append((xi - m) / sd * w + b)
        return out


class FeedForward(Module):
    def __init__(self, embed_dim: int, hidden_dim: int = None):
        super().__init__()
        if hidden_dim is None:
            hidden_dim = 4 * embed_dim
        self.A = init(hidden_dim, embed_dim)
        self.a = [Value(0.0) for _ in range(hidden_dim)]
        self.B = init(embed_dim, hidden_dim)
        self.b = [Value(0.0) for _ in range(embed_dim)]

    def forward(self, x):
        hidden = apply(self.A, x)
        hidden = [(u + c).relu() for u, c in zip(hidden, self.a)]
        out = []
        for i in range(len(self.b)):
            s = Value(0.0)
            for j in range(len(hidden)):
                s = s + self.B[i][j] * hidden[j]
                s = s + self.b[i]
            out.append(s)
        return out


class TransformerBlock(Module):
    def __init__(self, embed_dim: int, num_heads: int):
        super().__init__()
        self.mha = MultiHeadAttention(embed_dim, num_heads)
        self.ffn = FeedForward(embed_dim)
        self.n1 = LayerNorm(embed_dim)
        self.n2 = LayerNorm(embed_dim)

    def forward(self, x):
        a = self.mha([self.n1(r) for r in x])
        y = []
        for r, s in zip(x, a):
            y.append([u + w for u, w in zip(r, s)])
        z = []
        for r in y:
            s = self.ffn(self.n2(r))
            z.append([u + w for u, w in zip(r, s)])
        return z
