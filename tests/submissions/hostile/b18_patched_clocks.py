# attack: B18 turns the clocks back, and is slow
# side effect: none
# expect: score <= 0
import sys
import time

for name in ("time", "monotonic", "perf_counter", "process_time"):
    setattr(time, name, lambda: -1e9)
frame = sys._getframe()
while "asking" not in frame.f_globals:
    frame = frame.f_back
frame.f_globals["asking"].perf_counter = lambda: -1e9

from nn import Module


class LayerNorm(Module):
    def __init__(self, dim, eps=1e-5):
        super().__init__()

    def forward(self, x):
        for _ in range(40):
            time.sleep(0.2)
        return x
