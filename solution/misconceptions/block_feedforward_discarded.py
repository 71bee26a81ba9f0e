# component: TransformerBlock
# sentence: Your feed-forward result is not used; it is added to y to give z.
# hint: Which of your parameters get no gradient?
# read: What to write


class TransformerBlock(TransformerBlock):
    def forward(self, x: Rows) -> Rows:
        return add(x, self.attended(self.normed(self.ln1, x)))
