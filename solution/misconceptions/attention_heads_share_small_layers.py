# component: MultiHeadAttention
# sentence: Your slices all go through the same small query, key and value layers; each head needs layers of its own.
# hint: What makes head 1 look at something else than head 0?
# read: Where the text is silent


class MultiHeadAttention(MultiHeadAttention):
    def __init__(self, embed_dim: int, num_heads: int, **options: Any) -> None:
        super().__init__(embed_dim, num_heads, **{**options, "reach": "slice"})
        for h in range(1, num_heads):
            del self._modules[f"heads.{h}"]  # there is one set of layers

    def attended(self, x: Rows, causal: bool) -> List[Rows]:
        return [self.heads[0]([row[own] for row in x], causal) for own in self.slices]
