# component: FeedForward
# sentence: Your hidden_dim multiplies D; it is the width itself.
# hint: How wide is the hidden layer of FeedForward(5, hidden_dim=7)?
# read: What to write


class FeedForward(FeedForward):
    def width(self, embed_dim: int, hidden_dim: Optional[int]) -> int:
        return embed_dim * (4 if hidden_dim is None else hidden_dim)
