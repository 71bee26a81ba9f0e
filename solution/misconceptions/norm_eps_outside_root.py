# component: LayerNorm
# sentence: Your eps is added to the standard deviation, after the root; it should be added to the variance, inside the root.
# hint: What does your layer do to a row whose numbers are all equal, going forward and backward?
# read: Where the text is silent


class LayerNorm(LayerNorm):
    def factor(self, variance: Value) -> Value:
        return (variance**0.5 + self.eps) ** -1
