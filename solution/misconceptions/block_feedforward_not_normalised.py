# component: TransformerBlock
# sentence: Your feed-forward part works on y; it should work on LN(y).
# hint: Write down y and z as in the text: what goes into each norm, and what is added to what?
# read: What to write


class TransformerBlock(TransformerBlock):
    def forward(self, x: Rows) -> Rows:
        y = add(x, self.attended(self.normed(self.ln1, x)))
        return add(y, self.fed(y))
