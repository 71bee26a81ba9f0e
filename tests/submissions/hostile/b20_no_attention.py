# attack: B20 averages the rows, so that there are no scores in which heads could be told apart
# side effect: none
# expect: score <= 30; everything but values and heads holds of a mean of the rows with four projections
from nn import Linear, Module


class MultiHeadAttention(Module):
    def __init__(self, embed_dim, num_heads):
        super().__init__()
        assert embed_dim % num_heads == 0
        self.layers = [Linear(embed_dim, embed_dim) for _ in range(4)]

    def forward(self, x, causal=True):
        out = x
        for layer in self.layers:
            out = [layer(row) for row in out]
        seen = [out[: t + 1] if causal else out for t in range(len(out))]
        return [[sum(column) / len(rows) for column in zip(*rows)] for rows in seen]
