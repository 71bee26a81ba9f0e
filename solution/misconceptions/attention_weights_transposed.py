# component: MultiHeadAttention
# sentence: You mix the values with the weights of the other direction, row j column i; row i of the weights belongs to query i.
# hint: Whose weights sum to 1 in your sum over j, those of query i or those of key i?
# read: What to write


class Head(Head):
    def weights(self, scores: Rows, causal: bool) -> Rows:
        return [list(column) for column in zip(*super().weights(scores, causal))]
