# component: MultiHeadAttention
# sentence: Your attention scores are divided by the square root of embed_dim; each head should use its own size.
# hint: How many products are summed up in one score of one head?
# read: Where the text is silent


class Head(Head):
    def size(self) -> int:
        return self.embed_dim
