# component: TransformerBlock
# sentence: Your feed-forward branch works on the attention's result without x; it should work on LN(y), where y holds both.
# hint: What goes into your second norm?
# read: What to write


class TransformerBlock(TransformerBlock):
    def forward(self, x: Rows) -> Rows:
        a = self.attended(self.normed(self.ln1, x))
        return add(add(x, a), self.fed(self.normed(self.ln2, a)))
