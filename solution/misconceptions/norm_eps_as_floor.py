# component: LayerNorm
# sentence: Your eps is a lower limit of the variance; it should be added to it, always.
# hint: What does LayerNorm(4, eps=1.0) give on [1, 2, 3, 4]?
# read: Numbers to compare with


class LayerNorm(LayerNorm):
    def factor(self, variance: Value) -> Value:
        return (variance if variance.data > self.eps else Value(self.eps)) ** -0.5
