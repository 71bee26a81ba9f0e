# component: LayerNorm
# sentence: You multiply by the standard deviation (or divide by its reciprocal); you should divide by it.
# hint: Double x: does your result grow?
# read: Numbers to compare with


class LayerNorm(LayerNorm):
    def factor(self, variance: Value) -> Value:
        return (variance + self.eps) ** 0.5
