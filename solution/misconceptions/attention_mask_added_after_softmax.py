# component: MultiHeadAttention
# sentence: You add the mask to the weights, after the softmax, which makes them hugely negative; add it to the scores, before.
# hint: What does -1e9 mean for a score, and what does it do to a weight?
# read: Where the text is silent


class Head(Head):
    def weights(self, scores: Rows, causal: bool) -> Rows:
        return self.masked(self.normalised(scores), causal)
