# component: LayerNorm
# sentence: Your variance is the mean of the squares of x itself; it should be that of the deviations from the mean.
# hint: What is the variance of [5, 5, 5]?
# read: Numbers to compare with


class LayerNorm(LayerNorm):
    def normalised(self, x: List[Value]) -> List[Value]:
        factor = self.factor(self.variance(x))
        return [c * factor for c in self.centred(x)]
