# component: MultiHeadAttention
# sentence: You call softmax on one score at a time, so every visible position gets weight 1; give it all scores of one query together.
# hint: What does softmax make of a list with one number?
# read: Where the text is silent


class Head(Head):
    def weights(self, scores: Rows, causal: bool) -> Rows:
        out = []
        for i, row in enumerate(scores):
            seen = row[: i + 1] if causal else row
            taken = [softmax([s])[0] for s in seen]
            out.append([*taken, *[Value(0.0) for _ in row[len(seen) :]]])
        return out
