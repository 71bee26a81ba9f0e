# component: MultiHeadAttention
# sentence: Your attention lets every row see later rows: as it is called by default the mask is missing or has no effect. Row i may see rows 0 to i only.
# hint: Change the last row of x: which rows of your output move?
# read: Where the text is silent


class Head(Head):
    def masked(self, scores: Rows, causal: bool) -> Rows:
        return scores
