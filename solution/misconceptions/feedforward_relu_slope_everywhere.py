# component: FeedForward
# sentence: Your ReLU passes gradient on where it is switched off; its slope is 0 for negative numbers.
# hint: What is the slope of ReLU at -2?
# read: Questions


class FeedForward(FeedForward):
    def activated(self, h: Value) -> Value:
        return h + Value(max(0.0, h.data) - h.data)
