# component: FeedForward
# sentence: Your hidden layer is four times as wide as the hidden_dim that it is given; hidden_dim is the width itself.
# hint: How wide is the hidden layer of FeedForward(5, hidden_dim=7)?
# read: What to write


class FeedForward(FeedForward):
    def width(self, embed_dim: int, hidden_dim: Optional[int]) -> int:
        return 4 * (embed_dim if hidden_dim is None else hidden_dim)
