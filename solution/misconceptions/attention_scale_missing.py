# component: MultiHeadAttention
# sentence: Your attention scores are not scaled; they should be divided by the square root of head_dim.
# hint: What happens to a score when a head gets more channels, and what keeps its size in check?
# read: Where the text is silent


class Head(Head):
    def size(self) -> int:
        return 1
