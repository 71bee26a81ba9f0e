# component: MultiHeadAttention
# sentence: Your projections are built for embed_dim numbers but get a slice of head_dim, so most weights are never used; let both have one width.
# hint: How long is the row that you pass to the query layer, and how long is one row of its weights?
# read: Questions


class MultiHeadAttention(MultiHeadAttention):
    def reaches(self, reach: str, H: int, d: int) -> List[slice]:
        return super().reaches("slice", H, d)
