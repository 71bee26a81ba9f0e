# component: TransformerBlock
# sentence: Your sums are made of new Values, cut out of the graph, so no gradient flows back; add the Values themselves.
# hint: From which of your output's Values can backward() walk back to x?
# read: Questions


class TransformerBlock(TransformerBlock):
    def forward(self, x: Rows) -> Rows:
        y = [[Value(v.data) for v in row] for row in add(x, self.attended(self.normed(self.ln1, x)))]
        return [[Value(v.data) for v in row] for row in add(y, self.fed(self.normed(self.ln2, y)))]
