# attack: E18 raises an exception with a text of 100 MiB
# side effect: none
# expect: score <= 0, LayerNorm raised
from nn import Module


class LayerNorm(Module):
    def __init__(self, dim, eps=1e-5):
        super().__init__()

    def forward(self, x):
        raise ValueError("x" * (100 * 2**20))
