# component: MultiHeadAttention
# sentence: Your attention is causal even when it is called with causal=False; then every row should see all rows.
# hint: Where does forward look at its causal argument?
# read: Where the text is silent


class Head(Head):
    def masked(self, scores: Rows, causal: bool) -> Rows:
        return super().masked(scores, True)
