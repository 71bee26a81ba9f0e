# attack: B06B changes the given Value, so that all numbers and all gradients are the same
# side effect: none
# expect: score <= 0
import engine
from engine import Value
from nn import Module

Value.data = property(lambda self: 0.5, lambda self, _: None)
Value.grad = property(lambda self: 0.0, lambda self, _: None)
Value.backward = lambda self: None
Value.__add__ = Value.__mul__ = Value.__sub__ = Value.__truediv__ = lambda self, other: self
Value.__eq__ = lambda self, other: True
Value.__hash__ = lambda self: 1
type.__setattr__(engine, "Value", Value) if isinstance(engine, type) else setattr(engine, "Value", Value)


class MultiHeadAttention(Module):
    def __init__(self, embed_dim, num_heads):
        Module.__init__(self)

    def forward(self, x, causal=True):
        return [[Value(0.5) for _ in row] for row in x]


class LayerNorm(Module):
    def __init__(self, dim, eps=1e-5):
        Module.__init__(self)

    def forward(self, x):
        return [Value(0.5) for _ in x]


class FeedForward(LayerNorm):
    def __init__(self, embed_dim, hidden_dim=None):
        super().__init__(embed_dim)


class TransformerBlock(Module):
    __init__, forward = vars(MultiHeadAttention)["__init__"], vars(MultiHeadAttention)["forward"]
