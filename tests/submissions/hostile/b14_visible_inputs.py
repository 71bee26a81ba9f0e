# attack: B14 knows the numbers of the handout by heart and answers zeros to all others
# side effect: none
# expect: score <= 0
from engine import Value
from nn import Module

KNOWN = {
    (1.0, 2.0, 3.0, 4.0): [-1.3416354, -0.4472118, 0.4472118, 1.3416354],
    (1.0, 2.0): [8.5, 8.5],
    (1.0, -3.0): [0.5, 0.5],
}


class LayerNorm(Module):
    def __init__(self, dim, eps=1e-5):
        super().__init__()

    def forward(self, x):
        return [Value(v) for v in KNOWN.get(tuple(v.data for v in x), [0.0] * len(x))]


class FeedForward(LayerNorm):
    pass
