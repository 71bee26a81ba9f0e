# component: LayerNorm
# sentence: Your scale and shift act on x before it is normalised, which undoes them; apply them to the normalised vector.
# hint: Double every scale: does your result change?
# read: What to write


class LayerNorm(LayerNorm):
    def forward(self, x: List[Value]) -> List[Value]:
        return self.normalised(self.affine(x))
