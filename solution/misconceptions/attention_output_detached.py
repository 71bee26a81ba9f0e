# component: MultiHeadAttention
# sentence: Your output is made of new Values, cut out of the graph, so no gradient flows back; return the Values that you computed.
# hint: From which of your output's Values can backward() walk back to x?
# read: Questions


class MultiHeadAttention(MultiHeadAttention):
    def projected(self, rows: Rows) -> Rows:
        return [[Value(v.data) for v in row] for row in super().projected(rows)]
