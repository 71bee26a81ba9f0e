# component: MultiHeadAttention
# sentence: Your weights are the exponentials of the scores; softmax also divides them by their sum, so that they sum to 1.
# hint: Add up the weights of one query: what do you get, and what should it be?
# read: Where the text is silent


class Head(Head):
    def weights(self, scores: Rows, causal: bool) -> Rows:
        out = []
        for i, row in enumerate(scores):
            seen = row[: i + 1] if causal else row
            taken = [s.exp() for s in seen]
            out.append([*taken, *[Value(0.0) for _ in row[len(seen) :]]])
        return out
