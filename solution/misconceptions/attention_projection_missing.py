# component: MultiHeadAttention
# sentence: Your output projection is not applied to what you return; the concatenated heads go through it as the last step.
# hint: After the concatenation, has any head met another one?
# read: What to write


class MultiHeadAttention(MultiHeadAttention):
    def projected(self, rows: Rows) -> Rows:
        return rows
