# component: TransformerBlock
# sentence: Your block builds its attention with one head; pass num_heads on.
# hint: What changes in your block between num_heads=1 and num_heads=2?
# read: What to write


class TransformerBlock(TransformerBlock):
    def __init__(self, embed_dim: int, num_heads: int, **options: Any) -> None:
        super().__init__(embed_dim, 1, **options)
