# component: MultiHeadAttention
# sentence: Your mask is applied when causal is False and left out when it is True; it should be the other way round.
# hint: Read your condition on causal aloud: when does the mask apply?
# read: Where the text is silent


class Head(Head):
    def masked(self, scores: Rows, causal: bool) -> Rows:
        return super().masked(scores, not causal)
