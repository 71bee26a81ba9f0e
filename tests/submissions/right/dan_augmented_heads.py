# right: heads collected with self.heads += [Head(...)], minus infinity in the mask, LayerNorm stores its scale as an offset from 1
from engine import Value
from nn import Linear, Module, softmax

NEG = float("-inf")


class Head(Module):
    def __init__(self, n_in, n_out):
        super().__init__()
        self.n_out = n_out
        self.qkv = []
        # careful: append() would not register, += goes through __setattr__ again
        for _ in range(3):
            self.qkv += [Linear(n_in, n_out)]

    def forward(self, x, causal):
        q, k, v = [[lin(row) for row in x] for lin in self.qkv]
        T = len(x)
        out = []
        for i in range(T):
            logits = []
            for j in range(T):
                s = sum(a * b for a, b in zip(q[i], k[j])) / self.n_out ** 0.5
                logits.append(s + NEG if causal and j > i else s)
            w = softmax(logits)
            out.append([sum(w[j] * v[j][c] for j in range(T)) for c in range(self.n_out)])
        return out


class MultiHeadAttention(Module):
    def __init__(self, embed_dim, num_heads):
        super().__init__()
        assert embed_dim % num_heads == 0
        self.heads = []
        for _ in range(num_heads):
            self.heads += [Head(embed_dim, embed_dim // num_heads)]
        self.final = Linear(embed_dim, embed_dim)

    def forward(self, x, causal=True):
        rows = [[] for _ in x]
        for head in self.heads:
            for row, part in zip(rows, head(x, causal)):
                row.extend(part)
        return [self.final(row) for row in rows]


class LayerNorm(Module):
    def __init__(self, dim, eps=1e-5):
        super().__init__()
        self.dim = dim
        self.eps = eps
        self.delta = [Value(0.0) for _ in range(dim)]  # scale is 1 + delta
        self.shift = [Value(0.0) for _ in range(dim)]

    def forward(self, x):
        mean = sum(x) / self.dim
        c = [xi - mean for xi in x]
        rstd = (sum(ci * ci for ci in c) / self.dim + self.eps) ** -0.5
        return [ci * rstd * (1 + w) + b for ci, w, b in zip(c, self.delta, self.shift)]


class ReLU(Module):
    def forward(self, x):
        return [v.relu() for v in x]


class Chain(Module):
    def __init__(self, *steps):
        super().__init__()
        self.steps = steps

    def forward(self, x):
        for step in self.steps:
            x = step(x)
        return x


class FeedForward(Chain):
    def __init__(self, embed_dim, hidden_dim=None):
        if hidden_dim is None:
            hidden_dim = embed_dim * 4
        super().__init__(Linear(embed_dim, hidden_dim), ReLU(), Linear(hidden_dim, embed_dim))


class TransformerBlock(Module):
    def __init__(self, embed_dim, num_heads):
        super().__init__()
        self.layers = []
        self.layers += [LayerNorm(embed_dim), MultiHeadAttention(embed_dim, num_heads)]
        self.layers += [LayerNorm(embed_dim), FeedForward(embed_dim)]

    def forward(self, x):
        ln1, mha, ln2, ffn = self.layers
        out = []
        for row, att in zip(x, mha([ln1(r) for r in x])):
            y = [a + b for a, b in zip(row, att)]
            out.append([a + b for a, b in zip(y, ffn(ln2(y)))])
        return out
