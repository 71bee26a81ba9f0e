# component: MultiHeadAttention
# sentence: You call softmax on one score at a time, so every weight is 1, even of masked positions; give it all scores of one query together.
# hint: What does softmax make of a list with one number?
# read: Where the text is silent


class Head(Head):
    def normalised(self, scores: Rows) -> Rows:
        return [[softmax([s])[0] for s in row] for row in scores]
