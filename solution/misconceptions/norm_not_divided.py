# component: LayerNorm
# sentence: Your layer subtracts the mean but does not divide by the standard deviation; the result should have variance 1.
# hint: What is the variance of your result?
# read: Numbers to compare with


class LayerNorm(LayerNorm):
    def factor(self, variance: Value) -> Value:
        return Value(1.0)
