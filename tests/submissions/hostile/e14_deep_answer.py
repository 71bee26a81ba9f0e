# attack: E14 answers with 100,000 nested lists
# side effect: none
# expect: score <= 0, LayerNorm raised
from nn import Module


class LayerNorm(Module):
    def __init__(self, dim, eps=1e-5):
        super().__init__()

    def forward(self, x):
        deep = x
        for _ in range(100_000):
            deep = [deep]
        return deep
