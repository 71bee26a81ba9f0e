# component: TransformerBlock
# sentence: Your feed-forward branch works on x, beside the attention; it should work on y, the result after attention.
# hint: What goes into your second norm?
# read: What to write


class TransformerBlock(TransformerBlock):
    def forward(self, x: Rows) -> Rows:
        y = add(x, self.attended(self.normed(self.ln1, x)))
        return add(y, self.fed(self.normed(self.ln2, x)))
