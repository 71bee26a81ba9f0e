# component: MultiHeadAttention
# sentence: Your mask holds 1 (may look) and 0 (may not) and is added to the scores, which hardly changes them; added, it has to be 0 and hugely negative.
# hint: Is your mask meant to be added, to be multiplied, or to be asked?
# read: Where the text is silent


class Head(Head):
    def mask(self, T: int) -> List[List[float]]:
        return [[1.0 if j <= i else 0.0 for j in range(T)] for i in range(T)]
