# component: LayerNorm
# sentence: Your scale starts at 0, so a fresh layer answers 0; a fresh layer should give mean 0 and variance 1.
# hint: What does a fresh layer of yours answer, whatever x is?
# read: Where the text is silent


class LayerNorm(LayerNorm):
    def __init__(self, dim: int, eps: float = 1e-5, offset: bool = False) -> None:
        super().__init__(dim, eps, offset)
        for g, b in zip(self.scale, self.shift):
            g.data, b.data = 0.0 - self.offset, 0.0
