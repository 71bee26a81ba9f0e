# component: LayerNorm
# sentence: You divide x by the deviation without subtracting the mean; what is divided should be the distance from the mean.
# hint: What is the mean of your result?
# read: Numbers to compare with


class LayerNorm(LayerNorm):
    def normalised(self, x: List[Value]) -> List[Value]:
        factor = self.factor(self.variance(self.centred(x)))
        return [xi * factor for xi in x]
