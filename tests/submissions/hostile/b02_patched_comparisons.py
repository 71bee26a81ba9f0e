# attack: B02 replaces the functions that a comparison would use
# side effect: none
# expect: score <= 0
import builtins
import json
import math

from engine import Value
from nn import Module

builtins.abs = lambda *_: 0.0
builtins.all = builtins.any = lambda *_: True
builtins.max = lambda *_, **__: 1e300
builtins.round = lambda *_: 0
math.isclose = lambda *_, **__: True
math.sqrt = math.fabs = lambda *_: 0.0
json.JSONEncoder.default = lambda *_: "passed"


class MultiHeadAttention(Module):
    def __init__(self, embed_dim, num_heads):
        super().__init__()

    def forward(self, x, causal=True):
        return [[Value(0.0) for _ in row] for row in x]


class FeedForward(Module):
    def __init__(self, embed_dim, hidden_dim=None):
        super().__init__()

    def forward(self, x):
        return [Value(0.0) for _ in x]
