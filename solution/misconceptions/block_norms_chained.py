# component: TransformerBlock
# sentence: Your second norm works on LN(x) or is applied on top of the first; it should work on y.
# hint: What goes into your second norm?
# read: What to write


class TransformerBlock(TransformerBlock):
    def forward(self, x: Rows) -> Rows:
        n = self.normed(self.ln1, x)
        y = add(x, self.attended(n))
        return add(y, self.fed(self.normed(self.ln2, n)))
