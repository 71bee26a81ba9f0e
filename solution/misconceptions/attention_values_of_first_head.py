# component: MultiHeadAttention
# sentence: All your heads mix the values of head 0; each head should mix its own.
# hint: Which values do the weights of head 1 touch?
# read: What to write


class MultiHeadAttention(MultiHeadAttention):
    def attended(self, x: Rows, causal: bool) -> List[Rows]:
        parts = [head.project([row[own] for row in x]) for head, own in zip(self.heads, self.slices)]
        weights = [head.weights(head.scores(q, k), causal) for head, (q, k, _) in zip(self.heads, parts)]
        return [apply_attention(w, parts[0][2]) for w in weights]
