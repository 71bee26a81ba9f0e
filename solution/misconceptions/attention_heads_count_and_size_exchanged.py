# component: MultiHeadAttention
# sentence: Your attention has head_dim heads of num_heads channels; it should be num_heads heads of head_dim channels.
# hint: How many heads does yours have with D=6 and num_heads=1?
# read: What to write


class MultiHeadAttention(MultiHeadAttention):
    def __init__(self, embed_dim: int, num_heads: int, **options: Any) -> None:
        assert embed_dim % num_heads == 0
        super().__init__(embed_dim, embed_dim // num_heads, **options)
