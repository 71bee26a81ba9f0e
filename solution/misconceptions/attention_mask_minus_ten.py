# component: MultiHeadAttention
# sentence: Your mask adds -10, which still lets a little of the future through; it needs a far more negative number.
# hint: How large would a score have to be to outweigh your mask?
# read: Where the text is silent


class Head(Head):
    def mask(self, T: int) -> List[List[float]]:
        return [[0.0 if j <= i else -10.0 for j in range(T)] for i in range(T)]
