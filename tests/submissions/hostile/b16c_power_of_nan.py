# attack: B16C has gradients that it measures, under an operation whose result would agree with every number
# side effect: none
# expect: score <= 97; LayerNorm computes its values, its gradients are not there; the rest is honest
from engine import Value
from nn import Linear, Module, apply_attention, attention_scores, causal_mask, softmax


class _Attention(Module):
    def __init__(self, embed_dim, num_heads):
        super().__init__()
        assert embed_dim % num_heads == 0
        self.heads, self.d = num_heads, embed_dim // num_heads
        self.W = [Linear(embed_dim, embed_dim) for _ in range(4)]

    def forward(self, x, causal=True):
        Q, K, V = ([w(row) for row in x] for w in self.W[:3])
        out = [[] for _ in x]
        for h in range(0, self.heads * self.d, self.d):
            scores = attention_scores([q[h : h + self.d] for q in Q], [k[h : h + self.d] for k in K], self.d)
            if causal:
                scores = [[s + m for s, m in zip(*rows)] for rows in zip(scores, causal_mask(len(x)))]
            for row, part in zip(out, apply_attention([softmax(s) for s in scores], [v[h : h + self.d] for v in V])):
                row.extend(part)
        return [self.W[3](row) for row in out]


class _Norm(Module):
    def __init__(self, dim, eps=1e-5):
        super().__init__()
        self.eps, self.g, self.b = eps, [Value(1.0) for _ in range(dim)], [Value(0.0) for _ in range(dim)]

    def forward(self, x):
        mean = sum(x) / len(x)
        centred = [v - mean for v in x]
        root = (sum(c * c for c in centred) / len(x) + self.eps) ** -0.5
        return [c * root * g + b for c, g, b in zip(centred, self.g, self.b)]


class _Forward(Module):
    def __init__(self, embed_dim, hidden_dim=None):
        super().__init__()
        self.one, self.two = Linear(embed_dim, hidden_dim or 4 * embed_dim), Linear(hidden_dim or 4 * embed_dim, embed_dim)

    def forward(self, x):
        return self.two([h.relu() for h in self.one(x)])


class _Block(Module):
    def __init__(self, embed_dim, num_heads):
        super().__init__()
        self.a, self.b = LayerNorm(embed_dim), LayerNorm(embed_dim)
        self.attention, self.ffn = MultiHeadAttention(embed_dim, num_heads), FeedForward(embed_dim)

    def forward(self, x):
        y = [[a + b for a, b in zip(*rows)] for rows in zip(x, self.attention([self.a(row) for row in x]))]
        return [[a + b for a, b in zip(row, self.ffn(self.b(row)))] for row in y]


def measured(module, forward, x, *more):
    """The right answer as constants whose backward pass is a numeric Jacobian, computed when it is first needed."""
    nested = isinstance(x[0], list)
    leaves = [v for row in x for v in row] if nested else list(x)
    leaves += module.parameters()

    def flat(out):
        return [v.data for row in out for v in row] if nested else [v.data for v in out]

    jacobian = []

    def columns():
        if not jacobian:
            for leaf in leaves:
                kept, sides = leaf.data, []
                for step in (1e-5, -1e-5):
                    leaf.data = kept + step
                    sides.append(flat(forward(x, *more)))
                leaf.data = kept
                jacobian.append([(a - b) / 2e-5 for a, b in zip(*sides)])
        return jacobian

    def claimed(index, number):
        node = Value(number, tuple(leaves), "**nan")

        def backward():
            for leaf, column in zip(leaves, columns()):
                leaf.grad += column[index] * node.grad

        node._backward = backward
        return node

    values = [claimed(i, number) for i, number in enumerate(flat(forward(x, *more)))]
    return [values[i : i + len(x[0])] for i in range(0, len(values), len(x[0]))] if nested else values


class MultiHeadAttention(_Attention):
    pass


class LayerNorm(_Norm):
    def forward(self, x):
        return measured(self, super().forward, x)


class FeedForward(_Forward):
    pass


class TransformerBlock(_Block):
    pass
