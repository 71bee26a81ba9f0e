# component: LayerNorm
# sentence: Your variance is a plain number, so the outputs are right and the gradients are not; compute it with Values.
# hint: Does the variance depend on x? Does your graph know?
# read: Questions


class LayerNorm(LayerNorm):
    def factor(self, variance: Value) -> Value:
        return super().factor(Value(variance.data))
