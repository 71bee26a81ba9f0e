# component: LayerNorm
# sentence: Your numbers are cut out of the graph somewhere between x and the result, so x gets no gradient; keep Values all the way.
# hint: From which of your output's Values can backward() walk back to x?
# read: Questions


class LayerNorm(LayerNorm):
    def forward(self, x: List[Value]) -> List[Value]:
        return [Value(v.data) for v in super().forward(x)]
