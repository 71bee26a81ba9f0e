# component: FeedForward
# sentence: Your ReLU acts on the output; it should act on the hidden vector, between the two layers.
# hint: Can your output be negative? Should it?
# read: What to write


class FeedForward(FeedForward):
    def forward(self, x: List[Value]) -> List[Value]:
        return [v.relu() for v in self.fc2(self.fc1(x))]
