# component: MultiHeadAttention
# sentence: Your attention scores are divided by the square root of the number of positions; they should be divided by the square root of head_dim.
# hint: Should the same two tokens get another score when the sequence gets longer?
# read: Where the text is silent


class Head(Head):
    def scores(self, q: Rows, k: Rows) -> Rows:
        return attention_scores(q, k, len(q))
