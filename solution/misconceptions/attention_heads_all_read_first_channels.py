# component: MultiHeadAttention
# sentence: All your heads read the same head_dim channels of x, the first ones; each head should read its own, or all of them.
# hint: Which channels of x does the second head see?
# read: Where the text is silent


class MultiHeadAttention(MultiHeadAttention):
    def reaches(self, reach: str, H: int, d: int) -> List[slice]:
        return [slice(d) for _ in range(H)]
