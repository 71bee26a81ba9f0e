# component: LayerNorm
# sentence: Your shift is not used; add it to each channel, after the scale.
# hint: Set every shift to 1: does your result move?
# read: What to write


class LayerNorm(LayerNorm):
    def affine(self, normalised: List[Value]) -> List[Value]:
        return [n * (g + self.offset) for n, g in zip(normalised, self.scale)]
