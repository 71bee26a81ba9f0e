# component: MultiHeadAttention
# sentence: Your softmax runs over the heads, so that they compete with each other; it should run over the keys, in each head on its own.
# hint: Take one query in one head: which weights have to sum to 1?
# read: Where the text is silent


class MultiHeadAttention(MultiHeadAttention):
    def attended(self, x: Rows, causal: bool) -> List[Rows]:
        parts = [head.project([row[own] for row in x]) for head, own in zip(self.heads, self.slices)]
        scores = [head.masked(head.scores(q, k), causal) for head, (q, k, _) in zip(self.heads, parts)]
        T = len(x)
        shared = [[softmax([rows[i][j] for rows in scores]) for j in range(T)] for i in range(T)]
        weights = [[[cell[h] for cell in row] for row in shared] for h in range(len(scores))]
        return [apply_attention(w, v) for w, (_, _, v) in zip(weights, parts)]
