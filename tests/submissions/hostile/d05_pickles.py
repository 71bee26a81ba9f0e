# attack: D05 answers with objects that run code when somebody unpickles or copies them
# side effect: a file is written by the grader
# expect: score <= 0
import os

from nn import Module


class Bomb(Exception):
    def __reduce__(self):
        return os.mkdir, ("/tmp/kit-attack/unpickled",)

    __reduce_ex__ = lambda self, _: self.__reduce__()
    __deepcopy__ = __copy__ = lambda self, *_: os.mkdir("/tmp/kit-attack/copied")
    __float__ = lambda self: 0.0


class LayerNorm(Module):
    def __init__(self, dim, eps=1e-5):
        super().__init__()

    def forward(self, x):
        return [Bomb() for _ in x]


class FeedForward(Module):
    def __init__(self, embed_dim, hidden_dim=None):
        raise Bomb(Bomb(), self)
