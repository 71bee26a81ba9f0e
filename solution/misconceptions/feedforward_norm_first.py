# component: FeedForward
# sentence: Your feed-forward part normalises its input once more; the LayerNorm belongs to TransformerBlock.
# hint: Double x: does your result change?
# read: What to write


class FeedForward(FeedForward):
    def __init__(self, embed_dim: int, hidden_dim: Optional[int] = None, **biases: Any) -> None:
        super().__init__(embed_dim, hidden_dim, **biases)
        self.norm = LayerNorm(embed_dim)

    def forward(self, x: List[Value]) -> List[Value]:
        return super().forward(self.norm(x))
