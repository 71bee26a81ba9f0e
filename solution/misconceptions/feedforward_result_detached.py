# component: FeedForward
# sentence: Your numbers are cut out of the graph somewhere between x and the result, so x gets no gradient; keep Values all the way.
# hint: From which of your Values can backward() walk back to x?
# read: Questions


class FeedForward(FeedForward):
    def activated(self, h: Value) -> Value:
        return Value(max(0.0, h.data))
