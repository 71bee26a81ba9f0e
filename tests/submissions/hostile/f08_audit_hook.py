# attack: F08 installs an audit hook that refuses the worker every further step
# side effect: none
# expect: score <= 0
import sys


def hook(event, arguments):
    if event in ("exec", "compile", "import", "open", "object.__getattr__"):
        raise RuntimeError("refused by the hand-in")


sys.addaudithook(hook)

from nn import Module


class FeedForward(Module):
    def __init__(self, embed_dim, hidden_dim=None):
        super().__init__()

    def forward(self, x):
        return x
