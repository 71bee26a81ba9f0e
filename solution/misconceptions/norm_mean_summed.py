# component: LayerNorm
# sentence: You subtract the sum of x; you should subtract its mean.
# hint: What is the mean of [1, 2, 3, 4], and what is your result's?
# read: Numbers to compare with


class LayerNorm(LayerNorm):
    def centred(self, x: List[Value]) -> List[Value]:
        return [xi - sum(x) for xi in x]
