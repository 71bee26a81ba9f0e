# component: FeedForward
# sentence: Your two layers follow each other with no ReLU between them, which makes one linear map of both; put a ReLU on the hidden vector.
# hint: What do you get for -x, compared with x?
# read: What to write


class FeedForward(FeedForward):
    def activated(self, h: Value) -> Value:
        return h
