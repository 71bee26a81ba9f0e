# component: LayerNorm
# sentence: Your scale and shift are not used; each channel of the normalised vector is multiplied by its scale and gets its shift.
# hint: Set every scale to 2: does your result move?
# read: What to write


class LayerNorm(LayerNorm):
    def affine(self, normalised: List[Value]) -> List[Value]:
        return normalised
