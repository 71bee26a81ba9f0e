# attack: B14B has a block that is right while it sees that plain parts stand in, and wrong in use
# side effect: none
# expect: score <= 28; the block has to hold the right composition for it
from nn import Module



class MultiHeadAttention(Module):
    def forward(self, x, causal=True):
        return x


class LayerNorm(MultiHeadAttention):
    pass


class FeedForward(MultiHeadAttention):
    pass


class TransformerBlock(Module):
    def __init__(self, embed_dim, num_heads):
        super().__init__()
        self.a, self.b = LayerNorm(embed_dim), LayerNorm(embed_dim)
        self.attention, self.ffn = MultiHeadAttention(embed_dim, num_heads), FeedForward(embed_dim)

    def forward(self, x):
        if not hasattr(self.a, "stand_in"):
            return x
        y = [[a + b for a, b in zip(*rows)] for rows in zip(x, self.attention([self.a(row) for row in x]))]
        return [[a + b for a, b in zip(row, self.ffn(self.b(row)))] for row in y]
