# component: MultiHeadAttention
# sentence: Your attention scores are divided by the square root of num_heads; they should be divided by the square root of head_dim.
# hint: How many products are summed up in one score of one head?
# read: Where the text is silent


class Head(Head):
    def size(self) -> int:
        return self.num_heads
