# attack: E21 crashes its process
# side effect: none
# expect: score <= 0, LayerNorm died
import ctypes

from nn import Module


class LayerNorm(Module):
    def __init__(self, dim, eps=1e-5):
        super().__init__()

    def forward(self, x):
        ctypes.string_at(0)
