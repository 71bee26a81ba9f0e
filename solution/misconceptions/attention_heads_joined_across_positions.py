# component: MultiHeadAttention
# sentence: Your heads' outputs are flattened head by head and cut anew, so one row holds pieces of several positions; row t should hold row t of every head.
# hint: With T=2 and H=2, which positions end up in row 0 of your concatenation?
# read: What to write


class MultiHeadAttention(MultiHeadAttention):
    def joined(self, heads: List[Rows]) -> Rows:
        flat = [v for rows in heads for row in rows for v in row]
        D = len(heads) * len(heads[0][0])
        return [flat[t * D : (t + 1) * D] for t in range(len(heads[0]))]
