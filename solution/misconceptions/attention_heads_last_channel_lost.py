# component: MultiHeadAttention
# sentence: Each of your heads loses its last channel; a head has head_dim of them.
# hint: Write down which channels your second head takes with D=6, H=2. Is the end counted?
# read: What to write


class Head(Head):
    def project(self, x: Rows) -> Tuple[Rows, Rows, Rows]:
        q, k, v = super().project(x)
        end = max(1, self.head_dim - 1)
        return [r[:end] for r in q], [r[:end] for r in k], [r[:-1] for r in v]
