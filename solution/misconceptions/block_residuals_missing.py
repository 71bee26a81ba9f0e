# component: TransformerBlock
# sentence: Your block has no residuals; each branch's result is added to what went in.
# hint: With silent branches, does your block return x?
# read: What to write


class TransformerBlock(TransformerBlock):
    def forward(self, x: Rows) -> Rows:
        y = self.attended(self.normed(self.ln1, x))
        return self.fed(self.normed(self.ln2, y))
