# component: MultiHeadAttention
# sentence: Your attention scores are multiplied by the square root of head_dim; they should be divided by it.
# hint: Do your scores grow or shrink when they are scaled?
# read: Where the text is silent


class Head(Head):
    def scores(self, q: Rows, k: Rows) -> Rows:
        return [[s * self.head_dim for s in row] for row in super().scores(q, k)]
