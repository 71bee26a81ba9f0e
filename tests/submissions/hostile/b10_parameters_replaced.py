# attack: B10 sets its own parameters to zero in forward, so that the input would be right
# side effect: none
# expect: score <= 0
from engine import Value
from nn import Module


class MultiHeadAttention(Module):
    def __init__(self, embed_dim, num_heads):
        super().__init__()
        self.weights = [Value(0.0) for _ in range(4 * (embed_dim**2 + embed_dim))]

    def forward(self, x, causal=True):
        self.weights = [Value(0.0) for _ in self.weights]
        return [[self.weights[0] * v for v in row] for row in x]


class TransformerBlock(Module):
    def __init__(self, embed_dim, num_heads):
        super().__init__()
        self.attention = MultiHeadAttention(embed_dim, num_heads)

    def forward(self, x):
        for parameter in self.parameters():
            parameter.data = 0.0
        return x
