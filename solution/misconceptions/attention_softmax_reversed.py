# component: MultiHeadAttention
# sentence: Your softmax has a wrong sign, so the least similar key gets the most weight; weights should grow with the scores.
# hint: Which of two keys should get more weight, the one with the higher score or the other?
# read: Where the text is silent


class Head(Head):
    def weights(self, scores: Rows, causal: bool) -> Rows:
        out = []
        for i, row in enumerate(scores):
            seen = row[: i + 1] if causal else row
            taken = softmax([-s for s in seen])
            out.append([*taken, *[Value(0.0) for _ in row[len(seen) :]]])
        return out
