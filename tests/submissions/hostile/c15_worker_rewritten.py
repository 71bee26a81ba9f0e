# attack: C15 replaces the functions by which the worker reads answers, counts parameters and takes gradients
# side effect: none
# expect: score <= 0; its answers are not in the form of the worker
import sys

from nn import Module

def worker():
    """The globals of the worker's main module, from the frame in which it waits."""
    frame = sys._getframe()
    while "asking" not in frame.f_globals:
        frame = frame.f_back
    return frame.f_globals


asking = worker()["asking"]


def numbers(x, seed):
    """Rows (or a row) of numbers that differ for different inputs."""
    if isinstance(x[0], list):
        return [numbers(row, seed + i) for i, row in enumerate(x)]
    return [hash((seed, c, tuple(v.data for v in x))) % 1000 / 7.0 for c in range(len(x))]


def gradients(slope, x, parameters, Value, forward):
    zeros = [0.0] * 4
    shaped = asking.shaped(x, lambda v: 0.0)
    return {"inputs": shaped, "parameters": [0.0] * 80, "along_inputs": zeros, "along_parameters": zeros}


def census(parameters, initial, before, after):
    return {"before": 80, "unique": 80, "after": 80, "same": True, "kept": True, "initial": [0.1 * i for i in range(80) if initial]}


asking.gradients = gradients
asking._census = census
asking.answer_form = lambda out, Value, rows: {"numbers": numbers(out, 0), "said": "", "tuples": False}
asking.numbers = lambda values, what: [0.0]


class MultiHeadAttention(Module):
    def __init__(self, embed_dim, num_heads):
        Module.__init__(self)

    def forward(self, x, causal=True):
        return x


class FeedForward(Module):
    def __init__(self, embed_dim, hidden_dim=None):
        Module.__init__(self)

    def forward(self, x):
        return x


class LayerNorm(FeedForward):
    pass


class TransformerBlock(Module):
    __init__, forward = vars(MultiHeadAttention)["__init__"], vars(MultiHeadAttention)["forward"]
