# component: TransformerBlock
# sentence: Your block uses one LayerNorm in both places; each has its own parameters, so there are two.
# hint: Which of your norms gets no gradient?
# read: Where the text is silent


class TransformerBlock(TransformerBlock):
    def forward(self, x: Rows) -> Rows:
        y = add(x, self.attended(self.normed(self.ln1, x)))
        return add(y, self.fed(self.normed(self.ln1, y)))
