# component: FeedForward
# sentence: Your ReLU lets a hundredth of negative numbers through (a leaky ReLU); a plain ReLU answers 0 there.
# hint: What does a hidden unit pass on when it is negative?
# read: What to write


class FeedForward(FeedForward):
    def activated(self, h: Value) -> Value:
        return h if h.data > 0 else h * 0.01
