# component: MultiHeadAttention
# sentence: All your heads use the same query, key and value weights; each head needs weights of its own.
# hint: What makes head 1 look at something else than head 0?
# read: Where the text is silent


class MultiHeadAttention(MultiHeadAttention):
    def attended(self, x: Rows, causal: bool) -> List[Rows]:
        return [self.heads[0]([row[own] for row in x], causal) for own in self.slices]
