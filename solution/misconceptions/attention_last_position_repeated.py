# component: MultiHeadAttention
# sentence: Your attention hands back the last position's result for every row; row i should be the result of query i.
# hint: How many different rows does your output have?
# read: What to write


class MultiHeadAttention(MultiHeadAttention):
    def joined(self, heads: List[Rows]) -> Rows:
        rows = super().joined(heads)
        return [rows[-1] for _ in rows]
