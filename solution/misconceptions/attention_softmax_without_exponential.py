# component: MultiHeadAttention
# sentence: Your weights are the scores divided by their sum; softmax takes the exponential of every score first.
# hint: Can your weights become negative? What makes those of softmax positive?
# read: Where the text is silent


class Head(Head):
    def weights(self, scores: Rows, causal: bool) -> Rows:
        out = []
        for i, row in enumerate(scores):
            seen = row[: i + 1] if causal else row
            taken = [s / sum(seen) for s in seen]
            out.append([*taken, *[Value(0.0) for _ in row[len(seen) :]]])
        return out
