# component: MultiHeadAttention
# sentence: You leave out the output projection when there is one head; it is there for every number of heads.
# hint: What is different in your code when num_heads is 1?
# read: Where the text is silent


class MultiHeadAttention(MultiHeadAttention):
    def __init__(self, embed_dim: int, num_heads: int, **options: Any) -> None:
        super().__init__(embed_dim, num_heads, **options)
        if num_heads == 1:
            del self._modules["W_o"]  # it is not built

    def projected(self, rows: Rows) -> Rows:
        return rows if len(self.heads) == 1 else super().projected(rows)
