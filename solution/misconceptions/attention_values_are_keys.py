# component: MultiHeadAttention
# sentence: Your weights mix the keys, and the values are not used; mix the values.
# hint: Which of your weights get no gradient?
# read: What to write


class Head(Head):
    def project(self, x: Rows) -> Tuple[Rows, Rows, Rows]:
        q, k, _ = super().project(x)
        return q, k, k
