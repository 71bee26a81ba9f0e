# component: MultiHeadAttention
# sentence: Your mask lets each row see the next one; a token may see itself and everything before it, and nothing after.
# hint: For row i, which columns j may keep a weight? Try T=3 on paper.
# read: Where the text is silent


class Head(Head):
    def mask(self, T: int) -> List[List[float]]:
        return [[0.0 if j <= i + 1 else -1e9 for j in range(T)] for i in range(T)]
