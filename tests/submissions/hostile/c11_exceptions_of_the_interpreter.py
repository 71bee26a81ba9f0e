# attack: C11 raises what escapes `except Exception`
# side effect: none
# expect: score <= 0, LayerNorm raised
from nn import Module


class LayerNorm(Module):
    def __init__(self, dim, eps=1e-5):
        raise KeyboardInterrupt


class FeedForward(Module):
    def __init__(self, embed_dim, hidden_dim=None):
        raise GeneratorExit


class MultiHeadAttention(Module):
    def __init__(self, embed_dim, num_heads):
        raise SystemExit(0)


class Everything(BaseException):
    def __str__(self):
        raise self

    __repr__ = __str__


class TransformerBlock(Module):
    def __init__(self, embed_dim, num_heads):
        raise Everything
