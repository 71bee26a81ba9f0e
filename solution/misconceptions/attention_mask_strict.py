# component: MultiHeadAttention
# sentence: Your mask hides each token from itself; a token may see itself and everything before it.
# hint: What may row 0 look at?
# read: Where the text is silent


class Head(Head):
    def mask(self, T: int) -> List[List[float]]:
        return [[0.0 if j < i else -1e9 for j in range(T)] for i in range(T)]
