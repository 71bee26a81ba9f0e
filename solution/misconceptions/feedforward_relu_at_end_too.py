# component: FeedForward
# sentence: You apply a second ReLU to the output; there is one ReLU, between the two layers.
# hint: Can your output be negative? Should it?
# read: What to write


class FeedForward(FeedForward):
    def forward(self, x: List[Value]) -> List[Value]:
        return [v.relu() for v in super().forward(x)]
