# component: TransformerBlock
# sentence: Your block returns the feed-forward result alone; it should be added to y.
# hint: With silent branches, does your block return x?
# read: What to write


class TransformerBlock(TransformerBlock):
    def forward(self, x: Rows) -> Rows:
        y = add(x, self.attended(self.normed(self.ln1, x)))
        return self.fed(self.normed(self.ln2, y))
