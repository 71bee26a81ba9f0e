# component: FeedForward
# sentence: Your ReLU acts on the input; it should act on the hidden vector, between the two layers.
# hint: Which vector has 4D numbers, and which one does your ReLU see?
# read: What to write


class FeedForward(FeedForward):
    def forward(self, x: List[Value]) -> List[Value]:
        return self.fc2(self.fc1([v.relu() for v in x]))
