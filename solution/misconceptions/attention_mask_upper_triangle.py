# component: MultiHeadAttention
# sentence: Your mask keeps the wrong triangle: each row sees itself and everything after it; it should see itself and everything before.
# hint: For row i, which columns j may keep a weight? Try T=3 on paper.
# read: Where the text is silent


class Head(Head):
    def mask(self, T: int) -> List[List[float]]:
        return [[0.0 if j >= i else -1e9 for j in range(T)] for i in range(T)]
