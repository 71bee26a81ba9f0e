# component: MultiHeadAttention
# sentence: Your mask has the wrong sign: it adds a huge positive number, so each row attends to the future alone; it should be hugely negative.
# hint: What has to happen to a score so that its weight vanishes?
# read: Where the text is silent


class Head(Head):
    def mask(self, T: int) -> List[List[float]]:
        return [[0.0 if j <= i else 1e9 for j in range(T)] for i in range(T)]
