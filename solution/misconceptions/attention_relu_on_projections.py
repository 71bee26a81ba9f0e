# component: MultiHeadAttention
# sentence: You apply a ReLU to queries, keys and values; they should be linear in x.
# hint: Can two of your tokens have a negative score?
# read: What to write


class Head(Head):
    def project(self, x: Rows) -> Tuple[Rows, Rows, Rows]:
        q, k, v = ([[value.relu() for value in row] for row in rows] for rows in super().project(x))
        return q, k, v
