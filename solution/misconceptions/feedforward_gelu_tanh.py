# component: FeedForward
# sentence: Your activation is GELU (in its tanh form); the text asks for ReLU.
# hint: What does a hidden unit pass on when it is negative?
# read: What to write


class FeedForward(FeedForward):
    def activated(self, h: Value) -> Value:
        inner = (h + h**3 * 0.044715) * (2.0 / 3.141592653589793) ** 0.5
        return h * ((inner * -2.0).exp() + 1.0) ** -1
