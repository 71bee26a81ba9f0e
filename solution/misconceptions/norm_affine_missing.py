# component: LayerNorm
# sentence: Your layer has no learned scale and shift among its parameters; each channel needs one of both, as Values.
# hint: What can your layer learn? How many parameters does it have?
# read: What to write


class LayerNorm(LayerNorm):
    def __init__(self, dim: int, eps: float = 1e-5, offset: bool = False) -> None:
        Module.__init__(self)
        self.eps = eps

    def affine(self, normalised: List[Value]) -> List[Value]:
        return normalised
