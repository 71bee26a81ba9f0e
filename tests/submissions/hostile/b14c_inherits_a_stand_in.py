# attack: B14C derives its block from a part, so that the part that stands in answers for the block
# side effect: none
# expect: score <= 0
from nn import Module


class MultiHeadAttention(Module):
    def __init__(self, embed_dim, num_heads):
        super().__init__()

    def forward(self, x, causal=True):
        return x


class TransformerBlock(MultiHeadAttention):
    pass
