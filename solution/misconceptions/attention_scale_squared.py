# component: MultiHeadAttention
# sentence: Your attention scores are divided by head_dim in all, by a missing root or by scaling twice; they should be divided by its square root, once.
# hint: Follow one score on its way to the softmax: by what is it divided, and where?
# read: Where the text is silent


class Head(Head):
    def size(self) -> int:
        return self.head_dim**2
