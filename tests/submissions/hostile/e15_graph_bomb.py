# attack: E15 answers with a graph of 160,000 nodes that lead to nothing
# side effect: none
# expect: score <= 0
from nn import Module


class FeedForward(Module):
    def __init__(self, embed_dim, hidden_dim=None):
        super().__init__()

    def forward(self, x):
        total = x[0]
        for _ in range(40_000):
            total = total * 1.0 + 0.0
        return [total * 0 for _ in x]
