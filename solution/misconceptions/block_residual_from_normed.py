# component: TransformerBlock
# sentence: Your residuals add the normalised stream; they should add x and y as they were before the norm.
# hint: With silent branches, does your block return x?
# read: Where the text is silent


class TransformerBlock(TransformerBlock):
    def forward(self, x: Rows) -> Rows:
        n = self.normed(self.ln1, x)
        y = add(n, self.attended(n))
        m = self.normed(self.ln2, y)
        return add(m, self.fed(m))
