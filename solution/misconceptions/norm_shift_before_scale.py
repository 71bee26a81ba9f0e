# component: LayerNorm
# sentence: Your shift is added before the scale is multiplied; scale first, then add the shift.
# hint: Set every scale to 0: what is left of the shift?
# read: What to write


class LayerNorm(LayerNorm):
    def affine(self, normalised: List[Value]) -> List[Value]:
        return [(n + b) * (g + self.offset) for n, g, b in zip(normalised, self.scale, self.shift)]
