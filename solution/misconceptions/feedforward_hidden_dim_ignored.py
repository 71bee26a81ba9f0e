# component: FeedForward
# sentence: Your hidden layer is always 4D wide; hidden_dim replaces that when it is given.
# hint: What is different in FeedForward(5, hidden_dim=7)?
# read: What to write


class FeedForward(FeedForward):
    def width(self, embed_dim: int, hidden_dim: Optional[int]) -> int:
        return 4 * embed_dim
