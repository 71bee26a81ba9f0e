# component: MultiHeadAttention
# sentence: Your scores multiply queries with queries, and the keys are not used; score (i, j) is query i times key j.
# hint: Which of your weights get no gradient?
# read: What to write


class Head(Head):
    def project(self, x: Rows) -> Tuple[Rows, Rows, Rows]:
        q, _, v = super().project(x)
        return q, q, v
