# component: LayerNorm
# sentence: Your eps is 1e-3 when none is given; the text says 1e-5.
# hint: Compare the signature of your constructor with the one in the handout.
# read: What to write


class LayerNorm(LayerNorm):
    def __init__(self, dim: int, eps: float = 1e-3, offset: bool = False) -> None:
        super().__init__(dim, eps, offset)
