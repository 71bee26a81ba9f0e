# component: TransformerBlock
# sentence: Your attention's result is not used: LN(x) is added to x in its place; y is x plus what attention makes of LN(x).
# hint: Does any row of your output depend on another row?
# read: What to write


class TransformerBlock(TransformerBlock):
    def forward(self, x: Rows) -> Rows:
        n = self.normed(self.ln1, x)
        y = add(x, n)
        return add(y, self.fed(self.normed(self.ln2, y)))
