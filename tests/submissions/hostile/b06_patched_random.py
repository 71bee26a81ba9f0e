# attack: B06 makes every random number zero, so that zeros would be right
# side effect: none
# expect: score <= 0
import random

from engine import Value
from nn import Module

for name in ("random", "gauss", "uniform", "normalvariate", "choice", "randint"):
    setattr(random, name, lambda *_, **__: 0.0)
    setattr(random.Random, name, lambda *_, **__: 0.0)
random.seed = lambda *_: None


class FeedForward(Module):
    def __init__(self, embed_dim, hidden_dim=None):
        super().__init__()

    def forward(self, x):
        return [Value(0.0) for _ in x]


class MultiHeadAttention(Module):
    def __init__(self, embed_dim, num_heads):
        super().__init__()

    def forward(self, x, causal=True):
        return [[Value(0.0) for _ in row] for row in x]
