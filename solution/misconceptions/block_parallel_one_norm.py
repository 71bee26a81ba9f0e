# component: TransformerBlock
# sentence: Both your branches work on one LN(x), side by side; the feed-forward branch should work on LN(y), with a norm of its own.
# hint: What goes into your second norm?
# read: What to write


class TransformerBlock(TransformerBlock):
    def forward(self, x: Rows) -> Rows:
        n = self.normed(self.ln1, x)
        return add(add(x, self.attended(n)), self.fed(n))
