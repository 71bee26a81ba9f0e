# attack: E13 raises the recursion limit and recurses until the stack is used up
# side effect: none
# expect: score <= 0
import sys

from nn import Module


class LayerNorm(Module):
    def __init__(self, dim, eps=1e-5):
        super().__init__()

    def forward(self, x):
        sys.setrecursionlimit(10**9)


        def deeper(n):
            return deeper(n + 1) + max([n], key=lambda _: n)


        return deeper(0)
