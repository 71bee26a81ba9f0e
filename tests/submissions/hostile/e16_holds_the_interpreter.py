# attack: E16 makes one call of C code that never gives the interpreter back
# side effect: none
# expect: score <= 0, LayerNorm timeout
from nn import Module


class LayerNorm(Module):
    def __init__(self, dim, eps=1e-5):
        super().__init__()

    def forward(self, x):
        return sum(range(10**12))
