# component: MultiHeadAttention
# sentence: Your softmax runs over the queries (down a column of the scores); it should run over the keys, one row of scores at a time.
# hint: Take one query: which weights have to sum to 1?
# read: Where the text is silent


class Head(Head):
    def normalised(self, scores: Rows) -> Rows:
        columns = [softmax(list(column)) for column in zip(*scores)]
        return [list(row) for row in zip(*columns)]
