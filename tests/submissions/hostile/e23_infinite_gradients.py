# attack: E23 has gradients that are infinite or not a number
# side effect: none
# expect: score <= 3; the shape and purity that hold of FeedForward
from engine import Value
from nn import Module


class FeedForward(Module):
    def __init__(self, embed_dim, hidden_dim=None):
        super().__init__()

    def forward(self, x):
        out = [v * 2 for v in x]
        for v, o in zip(x, out):
            o._backward = lambda v=v: setattr(v, "grad", float("nan"))
        return out
