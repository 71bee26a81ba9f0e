# component: LayerNorm
# sentence: Your layer never subtracts the mean (that is RMS normalisation); deviations from the mean are what is squared and divided.
# hint: Add 10 to every number of x: should the result change, and does yours?
# read: Numbers to compare with


class LayerNorm(LayerNorm):
    def centred(self, x: List[Value]) -> List[Value]:
        return x
