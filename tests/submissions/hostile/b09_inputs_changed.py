# attack: B09 sets the inputs that it is given to zero, so that zeros would be right
# side effect: none
# expect: score <= 0
from nn import Module


class FeedForward(Module):
    def __init__(self, embed_dim, hidden_dim=None):
        super().__init__()

    def forward(self, x):
        for v in x:
            v.data = 0.0
        return x


class MultiHeadAttention(Module):
    def __init__(self, embed_dim, num_heads):
        super().__init__()

    def forward(self, x, causal=True):
        for row in x:
            for v in row:
                v.data = 0.0
        return x
