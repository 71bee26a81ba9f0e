# component: FeedForward
# sentence: Your feed-forward part has one layer from D to D and a ReLU; it needs two, through a hidden vector of 4D.
# hint: Where in yours is the vector with 4D numbers?
# read: What to write


class FeedForward(FeedForward):
    def __init__(
        self, embed_dim: int, hidden_dim: Optional[int] = None, bias1: bool = True, bias2: bool = True
    ) -> None:
        Module.__init__(self)
        self.fc = Linear(embed_dim, embed_dim, bias=bias1)

    def forward(self, x: List[Value]) -> List[Value]:
        return [v.relu() for v in self.fc(x)]
