# component: LayerNorm
# sentence: Your layer multiplies by 1 + scale with a scale that starts at 1, which doubles everything; such a scale starts at 0.
# hint: What is the variance of a fresh layer's result?
# read: Where the text is silent


class LayerNorm(LayerNorm):
    def __init__(self, dim: int, eps: float = 1e-5, offset: bool = False) -> None:
        super().__init__(dim, eps)
        self.offset = 1.0
