# component: MultiHeadAttention
# sentence: Your keys are cut anew into head_dim rows instead of transposed, so the numbers of different positions get mixed; score (i, j) is query i times key j.
# hint: Which numbers of which position meet query i in score (i, j)?
# read: What to write


class Head(Head):
    def scores(self, q: Rows, k: Rows) -> Rows:
        flat, T = [v for row in k for v in row], len(k)
        dealt = [[flat[c * T + j] for c in range(self.head_dim)] for j in range(T)]
        return super().scores(q, dealt)
