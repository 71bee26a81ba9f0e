# component: MultiHeadAttention
# sentence: All your heads go through one set of query, key and value layers; each head needs layers of its own.
# hint: What makes head 1 look at something else than head 0?
# read: Where the text is silent


class MultiHeadAttention(MultiHeadAttention):
    def __init__(self, embed_dim: int, num_heads: int, **options: Any) -> None:
        super().__init__(embed_dim, num_heads, **options)
        self.heads = self.heads[:1] * num_heads
        self.inner = self.inner[:1] * num_heads if self.inner else None
