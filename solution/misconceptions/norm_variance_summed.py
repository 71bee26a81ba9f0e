# component: LayerNorm
# sentence: Your variance is the sum of the squared deviations; it should be their mean.
# hint: What is the variance of [1, 2, 3, 4]? Compare with the handout.
# read: Numbers to compare with


class LayerNorm(LayerNorm):
    def variance(self, centred: List[Value]) -> Value:
        return sum(c * c for c in centred)
