# component: LayerNorm
# sentence: You take the square root twice, of the standard deviation; divide by the root of the variance.
# hint: How many roots stand between the variance and what you divide by?
# read: Numbers to compare with


class LayerNorm(LayerNorm):
    def factor(self, variance: Value) -> Value:
        return (variance**0.5 + self.eps) ** -0.5
