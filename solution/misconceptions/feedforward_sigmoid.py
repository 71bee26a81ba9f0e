# component: FeedForward
# sentence: Your activation is the sigmoid; the text asks for ReLU.
# hint: What does a hidden unit pass on when it is negative?
# read: What to write


class FeedForward(FeedForward):
    def activated(self, h: Value) -> Value:
        return ((-h).exp() + 1.0) ** -1
