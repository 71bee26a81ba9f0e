# component: MultiHeadAttention
# sentence: You set the weights of later positions to 0 after the softmax, so the rest no longer sums to 1; mask the scores before it.
# hint: Add up the weights of row 0: what do you get, and what should it be?
# read: Where the text is silent


class Head(Head):
    def weights(self, scores: Rows, causal: bool) -> Rows:
        weights = self.normalised(scores)
        return [[w if j <= i or not causal else Value(0.0) for j, w in enumerate(row)] for i, row in enumerate(weights)]
