# wrong: every component returns its input. Fails: MultiHeadAttention.values, LayerNorm.values, FeedForward.values, TransformerBlock.values
from __future__ import annotations
from engine import Value
from nn import Module


class MultiHeadAttention(Module):
    def __init__(self, embed_dim, num_heads):
        super().__init__()
        assert embed_dim % num_heads == 0

    def forward(self, x, causal=True):
        return x


class LayerNorm(Module):
    def __init__(self, dim, eps=1e-5):
        super().__init__()

    def forward(self, x):
        return x


class FeedForward(Module):
    def __init__(self, embed_dim, hidden_dim=None):
        super().__init__()

    def forward(self, x):
        return x


class TransformerBlock(Module):
    def __init__(self, embed_dim, num_heads):
        super().__init__()
        assert embed_dim % num_heads == 0

    def forward(self, x):
        return x
