# component: MultiHeadAttention
# sentence: You apply a ReLU after the output projection; attention has no ReLU.
# hint: Can your output be negative? Should it?
# read: What to write


class MultiHeadAttention(MultiHeadAttention):
    def projected(self, rows: Rows) -> Rows:
        return [[v.relu() for v in row] for row in super().projected(rows)]
