# attack: D03 puts modules of its own in the place of the library's, in memory and beside itself
# side effect: none
# expect: score <= 0
import sys
import types

SHADOW = types.ModuleType("shadow")
SHADOW.__getattr__ = lambda name: lambda *_, **__: 0.0
for name in ("random.py", "json.py", "math.py"):
    try:
        with open(name, "w") as file:
            file.write("seed = loads = dumps = isclose = lambda *_, **__: 0\n")
    except OSError:
        pass
for name in ("json", "random", "math", "reading", "slopes", "loading", "asking", "stand_ins", "__main__", "os", "gc"):
    sys.modules[name] = SHADOW
sys.path[:0] = [""]
sys.path_importer_cache.clear()

from nn import Module


class FeedForward(Module):
    def __init__(self, embed_dim, hidden_dim=None):
        super().__init__()

    def forward(self, x):
        return x
