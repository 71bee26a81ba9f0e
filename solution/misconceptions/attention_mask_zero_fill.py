# component: MultiHeadAttention
# sentence: You set the scores of later positions to 0, but softmax still gives a score of 0 a weight; it has to be very negative.
# hint: What is exp(0), and which score would make the weight vanish?
# read: Where the text is silent


class Head(Head):
    def masked(self, scores: Rows, causal: bool) -> Rows:
        return [[s if j <= i or not causal else Value(0.0) for j, s in enumerate(row)] for i, row in enumerate(scores)]
