# component: MultiHeadAttention
# sentence: Your mask holds 1 where a row may not look and is added to the scores, so the future gains weight; added, it has to be 0 and hugely negative.
# hint: Is your mask meant to be added, to be multiplied, or to be asked?
# read: Where the text is silent


class Head(Head):
    def mask(self, T: int) -> List[List[float]]:
        return [[0.0 if j <= i else 1.0 for j in range(T)] for i in range(T)]
