# wrong: a ReLU is applied after the output projection. Fails: MultiHeadAttention.values
import math

from engine import Value
from nn import Linear, Module


def check_sizes(embed_dim, num_heads):
    if embed_dim % num_heads != 0:
        raise AssertionError(f"embed_dim ({embed_dim}) must be divisible by num_heads ({num_heads})")


def tree_sum(values):
    """Add neighbours until one is left; the graph stays shallow."""
    values = list(values)
    if not values:
        return Value(0.0)
    while len(values) > 1:
        paired = [values[i] + values[i + 1] for i in range(0, len(values) - 1, 2)]
        if len(values) % 2:
            paired.append(values[-1])
        values = paired
    return values[0]


def linear(layer, x):
    return [tree_sum([w * v for w, v in zip(row, x)] + [b]) for row, b in zip(layer.weight, layer.bias)]


class MultiHeadAttention(Module):
    def __init__(self, embed_dim, num_heads):
        check_sizes(embed_dim, num_heads)
        super().__init__()
        self.num_heads = num_heads
        self.w_q = Linear(embed_dim, embed_dim)
        self.w_k = Linear(embed_dim, embed_dim)
        self.w_v = Linear(embed_dim, embed_dim)
        self.w_o = Linear(embed_dim, embed_dim)

    def split(self, row):
        n = len(row) // self.num_heads
        return [row[i : i + n] for i in range(0, len(row), n)]

    def forward(self, x, causal=True):
        queries = [self.split(linear(self.w_q, row)) for row in x]
        ks, vs, out = [], [], []
        if not causal:
            ks = [self.split(linear(self.w_k, row)) for row in x]
            vs = [self.split(linear(self.w_v, row)) for row in x]
        for t, row in enumerate(x):
            if causal:
                ks.append(self.split(linear(self.w_k, row)))
                vs.append(self.split(linear(self.w_v, row)))
            joined = []
            for h, q in enumerate(queries[t]):
                scores = [tree_sum(a * b for a, b in zip(q, k[h])) / math.sqrt(len(q)) for k in ks]
                top = max(s.data for s in scores)
                exps = [(s - top).exp() for s in scores]
                norm = tree_sum(exps) ** -1
                for c in range(len(q)):
                    joined.append(tree_sum(e * v[h][c] for e, v in zip(exps, vs)) * norm)
            out.append([v.relu() for v in linear(self.w_o, joined)])  # non-linearity, otherwise it is all matrices
        return out


class LayerNorm(Module):
    def __init__(self, dim, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.gain = [Value(1.0) for _ in range(dim)]
        self.offset = [Value(0.0) for _ in range(dim)]

    def forward(self, x):
        mean = tree_sum(x) / len(x)
        centred = [v - mean for v in x]
        var = tree_sum(c * c for c in centred) / len(x)
        return [c / (var + self.eps) ** 0.5 * g + o for c, g, o in zip(centred, self.gain, self.offset)]


class FeedForward(Module):
    def __init__(self, embed_dim, hidden_dim=None):
        super().__init__()
        self.fc1 = Linear(embed_dim, 4 * embed_dim if hidden_dim is None else hidden_dim)
        self.fc2 = Linear(self.fc1.out_features, embed_dim)

    def forward(self, x):
        return linear(self.fc2, [h.relu() for h in linear(self.fc1, x)])


class TransformerBlock(Module):
    def __init__(self, embed_dim, num_heads):
        super().__init__()
        self.ln1 = LayerNorm(embed_dim)
        self.ln2 = LayerNorm(embed_dim)
        self.mha = MultiHeadAttention(embed_dim, num_heads)
        self.ffn = FeedForward(embed_dim)

    def forward(self, x):
        a = self.mha([self.ln2(row) for row in x])
        y = [[p + q for p, q in zip(row, add)] for row, add in zip(x, a)]
        return [[p + q for p, q in zip(row, self.ffn(self.ln1(row)))] for row in y]
