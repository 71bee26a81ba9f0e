# component: LayerNorm
# sentence: You divide by the variance; you should divide by its square root.
# hint: Double x: should the result change, and does yours?
# read: Numbers to compare with


class LayerNorm(LayerNorm):
    def factor(self, variance: Value) -> Value:
        return (variance + self.eps) ** -1
