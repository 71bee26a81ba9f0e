# component: LayerNorm
# sentence: Your layer always adds 1e-5 and ignores the eps that it is given; use the argument.
# hint: What does LayerNorm(4, eps=1.0) give on [1, 2, 3, 4]?
# read: Numbers to compare with


class LayerNorm(LayerNorm):
    def factor(self, variance: Value) -> Value:
        return (variance + 1e-5) ** -0.5
