# component: FeedForward
# sentence: Your feed-forward part runs one layer from D to D twice; it needs two layers with their own weights, D to 4D and 4D to D.
# hint: Where in yours is the vector with 4D numbers?
# read: What to write


class FeedForward(FeedForward):
    def __init__(
        self, embed_dim: int, hidden_dim: Optional[int] = None, bias1: bool = True, bias2: bool = True
    ) -> None:
        Module.__init__(self)
        self.fc = Linear(embed_dim, embed_dim, bias=bias1)

    def forward(self, x: List[Value]) -> List[Value]:
        return self.fc([v.relu() for v in self.fc(x)])
