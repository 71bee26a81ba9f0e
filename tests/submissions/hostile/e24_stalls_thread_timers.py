# attack: E24 stalls every timer that runs in a thread of its own process
# side effect: none
# expect: score <= 0, LayerNorm timeout
import os
import sys
import threading

from nn import Module


class LayerNorm(Module):
    def __init__(self, dim, eps=1e-5):
        super().__init__()

    def forward(self, x):
        sys.setswitchinterval(1e6)
        for thread in threading.enumerate():
            if hasattr(thread, "cancel"):
                thread.cancel()
        os._exit = sys.exit = lambda *_: None
        while True:
            pass
