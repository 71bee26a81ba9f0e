# component: LayerNorm
# sentence: Your mean is a plain number, so the outputs are right and the gradients are not; compute it with Values.
# hint: Does the mean depend on x? Does your graph know?
# read: Questions


class LayerNorm(LayerNorm):
    def centred(self, x: List[Value]) -> List[Value]:
        mean = self.mean(x).data
        return [xi - mean for xi in x]
