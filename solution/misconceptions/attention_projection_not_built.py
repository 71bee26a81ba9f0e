# component: MultiHeadAttention
# sentence: Your attention has no output projection; the concatenated heads go through one as the last step.
# hint: After the concatenation, has any head met another one?
# read: What to write


class MultiHeadAttention(MultiHeadAttention):
    def __init__(self, embed_dim: int, num_heads: int, **options: Any) -> None:
        super().__init__(embed_dim, num_heads, **options)
        del self._modules["W_o"]  # it is not built

    def projected(self, rows: Rows) -> Rows:
        return rows
