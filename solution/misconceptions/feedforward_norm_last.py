# component: FeedForward
# sentence: Your feed-forward part normalises its output; the LayerNorm belongs to TransformerBlock.
# hint: What is the mean of your result, whatever x is?
# read: What to write


class FeedForward(FeedForward):
    def __init__(self, embed_dim: int, hidden_dim: Optional[int] = None, **biases: Any) -> None:
        super().__init__(embed_dim, hidden_dim, **biases)
        self.norm = LayerNorm(embed_dim)

    def forward(self, x: List[Value]) -> List[Value]:
        return self.norm(super().forward(x))
