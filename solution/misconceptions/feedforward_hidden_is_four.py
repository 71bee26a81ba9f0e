# component: FeedForward
# sentence: Your hidden layer is 4 wide when hidden_dim is not given; it should be 4 times D wide.
# hint: How many weights does your first layer have with D=5, and how many should it have?
# read: What to write


class FeedForward(FeedForward):
    def width(self, embed_dim: int, hidden_dim: Optional[int]) -> int:
        return 4 if hidden_dim is None else hidden_dim
