# component: MultiHeadAttention
# sentence: Your values are weighted with the scores themselves; softmax should turn the scores of each query into weights that sum to 1 first.
# hint: Add up the weights of one query: what do you get, and what should it be?
# read: Where the text is silent


class Head(Head):
    def weights(self, scores: Rows, causal: bool) -> Rows:
        out = []
        for i, row in enumerate(scores):
            seen = row[: i + 1] if causal else row
            taken = list(seen)
            out.append([*taken, *[Value(0.0) for _ in row[len(seen) :]]])
        return out
