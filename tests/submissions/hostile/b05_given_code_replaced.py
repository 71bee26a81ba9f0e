# attack: B05 replaces the given modules and classes by ones that count everything as right
# side effect: none
# expect: score <= 0
import sys
import types

import engine
import nn


class Value(engine.Value):
    data = property(lambda self: 0.0, lambda self, _: None)
    grad = property(lambda self: 0.0, lambda self, _: None)


class Module(nn.Module):
    def parameters(self):
        return []

    def __call__(self, x, *_, **__):
        return x


engine.Value = nn.Value = Value
nn.Module = Module
for name in ("engine", "nn", "exercise.nn", "solution", "transformer_block_reference", "numpy", "torch"):
    sys.modules[name] = types.SimpleNamespace(Value=Value, Module=Module, allclose=lambda *_: True)


class MultiHeadAttention(Module):
    def __init__(self, *_):
        super().__init__()


class LayerNorm(MultiHeadAttention):
    pass


class FeedForward(MultiHeadAttention):
    pass


class TransformerBlock(MultiHeadAttention):
    pass
