# component: MultiHeadAttention
# sentence: Your numbers are cut out of the graph somewhere between x and the result, so x gets no gradient; keep Values all the way.
# hint: From which of your output's Values can backward() walk back to x?
# read: Questions


class MultiHeadAttention(MultiHeadAttention):
    def projected(self, rows: Rows) -> Rows:
        return [[Value(v.data) for v in row] for row in super().projected(rows)]
