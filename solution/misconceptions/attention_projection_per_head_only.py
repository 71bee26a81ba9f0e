# component: MultiHeadAttention
# sentence: Your heads each have a small output layer, but nothing comes after the concatenation; one output projection should mix all heads at the end.
# hint: After the concatenation, has any head met another one?
# read: Where the text is silent


class MultiHeadAttention(MultiHeadAttention):
    def __init__(self, embed_dim: int, num_heads: int, **options: Any) -> None:
        super().__init__(embed_dim, num_heads, **{**options, "reach": "slice", "inner": True, "inner_bias": True})
        del self._modules["W_o"]  # it is not built

    def projected(self, rows: Rows) -> Rows:
        return rows
