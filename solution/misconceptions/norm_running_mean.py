# component: LayerNorm
# sentence: Your deviations are taken from a mean that is still being summed up; finish the mean first.
# hint: When is the mean complete, and when do you first use it?
# read: Numbers to compare with


class LayerNorm(LayerNorm):
    def normalised(self, x: List[Value]) -> List[Value]:
        mean, variance = Value(0.0), Value(0.0)
        for xi in x:
            mean = mean + xi / len(x)
            deviation = xi - mean
            variance = variance + deviation * deviation / len(x)
        factor = self.factor(variance)
        return [(xi - mean) * factor for xi in x]
