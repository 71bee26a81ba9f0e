# component: MultiHeadAttention
# sentence: Your mask is applied in the first head only; every head has to be causal.
# hint: Follow the second head: where do its scores meet the mask?
# read: Where the text is silent


class MultiHeadAttention(MultiHeadAttention):
    def attended(self, x: Rows, causal: bool) -> List[Rows]:
        parts = zip(self.heads, self.slices)
        return [head([row[own] for row in x], causal and h == 0) for h, (head, own) in enumerate(parts)]
