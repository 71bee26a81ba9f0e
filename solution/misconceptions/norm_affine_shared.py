# component: LayerNorm
# sentence: Your layer has one scale and one shift for all channels; each channel has its own.
# hint: How many parameters does LayerNorm(4) have in yours, and how many should it have?
# read: Where the text is silent


class LayerNorm(LayerNorm):
    def __init__(self, dim: int, eps: float = 1e-5, offset: bool = False) -> None:
        super().__init__(1, eps, offset)

    def affine(self, normalised: List[Value]) -> List[Value]:
        return [n * (self.scale[0] + self.offset) + self.shift[0] for n in normalised]
