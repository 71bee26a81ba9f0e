# component: LayerNorm
# sentence: Your variance is divided by D - 1; it should be divided by D.
# hint: Over how many numbers is the variance a mean?
# read: Where the text is silent


class LayerNorm(LayerNorm):
    def variance(self, centred: List[Value]) -> Value:
        return sum(c * c for c in centred) / (len(centred) - 1)
