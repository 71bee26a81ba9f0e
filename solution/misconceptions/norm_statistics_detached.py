# component: LayerNorm
# sentence: Your mean and variance are plain numbers, so the outputs are right and the gradients are not; compute them with Values.
# hint: Does the mean depend on x? Does your graph know?
# read: Questions


class LayerNorm(LayerNorm):
    def mean(self, x: List[Value]) -> Value:
        return Value(super().mean(x).data)
