# component: FeedForward
# sentence: Your feed-forward part adds its own input to its output; the residual belongs to TransformerBlock.
# hint: What should it return when all its weights are zero?
# read: What to write


class FeedForward(FeedForward):
    def forward(self, x: List[Value]) -> List[Value]:
        return [a + b for a, b in zip(x, super().forward(x))]
