# component: FeedForward
# sentence: You apply a ReLU to the input as well; there is one ReLU, on the hidden vector.
# hint: What becomes of the negative numbers of x in your first step?
# read: What to write


class FeedForward(FeedForward):
    def forward(self, x: List[Value]) -> List[Value]:
        return super().forward([v.relu() for v in x])
