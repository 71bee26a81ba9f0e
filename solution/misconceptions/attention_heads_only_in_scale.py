# component: MultiHeadAttention
# sentence: Your num_heads only changes the scale: the scores still run over the whole embedding; each head should use its own head_dim channels.
# hint: How many products are summed up in one of your scores?
# read: What to write


class MultiHeadAttention(MultiHeadAttention):
    def __init__(self, embed_dim: int, num_heads: int, **options: Any) -> None:
        super().__init__(embed_dim, 1, **options)
        assert embed_dim % num_heads == 0
        self.heads[0].head_dim = embed_dim // num_heads
