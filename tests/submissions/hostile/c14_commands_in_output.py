# attack: C14 puts commands for CI, for terminals and for browsers into every text of its own that is shown
# side effect: a CI runner or a terminal obeys
# expect: score <= 0, LayerNorm raised
import os

from nn import Module

TEXT = "\n::error file=x::forged\n::stop-commands::x\n##[add-path]/tmp\r::add-mask::a\x1b[2J\x1b]0;title\x07\x9b31m"
TEXT += "<script>alert(1)</script>](javascript:alert(1)) =cmd|' /C calc'!A0 \u202e\u2028::error::x\x85::error::y"
os.write(2, TEXT.encode())
os.write(1, TEXT.encode())
print(TEXT)


class LayerNorm(Module):
    def __init__(self, dim, eps=1e-5):
        raise type(TEXT, (Exception,), {})(TEXT * 3)


class FeedForward(Module):
    def __init__(self, embed_dim, hidden_dim=None):
        super().__init__()

    def forward(self, x):
        return [type(TEXT, (), {})() for _ in x]
