# component: MultiHeadAttention
# sentence: Your scores go through softmax twice, which flattens the weights and lets masked positions in; once is enough.
# hint: What weight has a masked position after the first softmax, and what does a second one make of it?
# read: Where the text is silent


class Head(Head):
    def normalised(self, scores: Rows) -> Rows:
        return [softmax(softmax(row)) for row in scores]
