# component: FeedForward
# sentence: Your activation is tanh; the text asks for ReLU.
# hint: What does a hidden unit pass on when it is negative?
# read: What to write


class FeedForward(FeedForward):
    def activated(self, h: Value) -> Value:
        return ((h * -2.0).exp() + 1.0) ** -1 * 2.0 - 1.0
