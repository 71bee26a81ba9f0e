# component: LayerNorm
# sentence: Your layer does not use eps, so a row of equal numbers divides by zero; add eps to the variance.
# hint: What happens to a row of equal numbers?
# read: Where the text is silent


class LayerNorm(LayerNorm):
    def factor(self, variance: Value) -> Value:
        return variance**-0.5
