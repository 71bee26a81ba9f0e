# attack: C03 ends its process with status 0 when it is asked
# side effect: none
# expect: score <= 0, LayerNorm died
import os

from nn import Module


class LayerNorm(Module):
    def __init__(self, dim, eps=1e-5):
        super().__init__()

    def forward(self, x):
        os._exit(0)
