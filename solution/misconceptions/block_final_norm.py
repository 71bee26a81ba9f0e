# component: TransformerBlock
# sentence: Your block normalises its result once more; z is returned as it is.
# hint: With silent branches, does your block return x?
# read: What to write


class TransformerBlock(TransformerBlock):
    def __init__(self, embed_dim: int, num_heads: int, **options: Any) -> None:
        super().__init__(embed_dim, num_heads, **options)
        self.ln3 = LayerNorm(embed_dim)

    def forward(self, x: Rows) -> Rows:
        return self.normed(self.ln3, super().forward(x))
