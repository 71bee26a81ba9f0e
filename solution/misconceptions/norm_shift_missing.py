# component: LayerNorm
# sentence: Your layer has a scale but no shift; each channel has both.
# hint: How many parameters does LayerNorm(4) have in yours, and how many should it have?
# read: Where the text is silent


class LayerNorm(LayerNorm):
    def __init__(self, dim: int, eps: float = 1e-5, offset: bool = False) -> None:
        super().__init__(dim, eps, offset)
        self._parameters = {f"scale.{i}": g for i, g in enumerate(self.scale)}  # the only ones that there are

    def affine(self, normalised: List[Value]) -> List[Value]:
        return [n * (g + self.offset) for n, g in zip(normalised, self.scale)]
