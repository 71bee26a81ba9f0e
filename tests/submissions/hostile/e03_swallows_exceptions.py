# attack: E03 loops, and swallows every exception that would end it
# side effect: none
# expect: score <= 0, LayerNorm timeout
from nn import Module


class LayerNorm(Module):
    def __init__(self, dim, eps=1e-5):
        super().__init__()

    def forward(self, x):
        while True:
            try:
                while True:
                    sum(range(1000))
            except BaseException:
                continue
