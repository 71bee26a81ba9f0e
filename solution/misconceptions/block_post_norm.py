# component: TransformerBlock
# sentence: Your block normalises after each addition (post-norm); pre-norm normalises what goes into a branch and leaves the stream alone.
# hint: Can x reach the output without passing a norm?
# read: What to write


class TransformerBlock(TransformerBlock):
    def forward(self, x: Rows) -> Rows:
        y = self.normed(self.ln1, add(x, self.attended(x)))
        return self.normed(self.ln2, add(y, self.fed(y)))
