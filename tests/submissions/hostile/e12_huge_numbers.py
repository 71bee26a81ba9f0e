# attack: E12 computes with numbers of a billion digits
# side effect: none
# expect: score <= 0, LayerNorm timeout
from nn import Module


class LayerNorm(Module):
    def __init__(self, dim, eps=1e-5):
        super().__init__()

    def forward(self, x):
        return [v * float(len(str(9 ** (9**9)))) for v in x]
