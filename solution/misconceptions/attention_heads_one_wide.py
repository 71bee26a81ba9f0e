# component: MultiHeadAttention
# sentence: Your attention runs one head over the whole embedding and ignores num_heads; there should be num_heads heads of head_dim channels.
# hint: What changes in your code between num_heads=1 and num_heads=3?
# read: What to write


class MultiHeadAttention(MultiHeadAttention):
    def __init__(self, embed_dim: int, num_heads: int, **options: Any) -> None:
        super().__init__(embed_dim, 1, **options)
        assert embed_dim % num_heads == 0
