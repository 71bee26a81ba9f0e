# component: MultiHeadAttention
# sentence: Your weights and your values run in opposite directions, so the first weight meets the last value; weight j belongs to value j.
# hint: In which order do you collect the scores, and in which order do you go through the values?
# read: What to write


class Head(Head):
    def weights(self, scores: Rows, causal: bool) -> Rows:
        out = []
        for i, row in enumerate(scores):
            seen = row[: i + 1] if causal else row
            taken = softmax(seen)[::-1]
            out.append([*taken, *[Value(0.0) for _ in row[len(seen) :]]])
        return out
