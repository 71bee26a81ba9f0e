# component: TransformerBlock
# sentence: Your block has one residual around both branches; each branch has its own.
# hint: Silence the feed-forward part: is your result y?
# read: What to write


class TransformerBlock(TransformerBlock):
    def forward(self, x: Rows) -> Rows:
        y = self.attended(self.normed(self.ln1, x))
        return add(x, self.fed(self.normed(self.ln2, y)))
