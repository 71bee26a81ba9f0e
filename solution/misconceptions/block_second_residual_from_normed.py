# component: TransformerBlock
# sentence: Your second residual adds LN(y); it should add y as it was before the norm.
# hint: With silent branches, does your block return x?
# read: Where the text is silent


class TransformerBlock(TransformerBlock):
    def forward(self, x: Rows) -> Rows:
        y = add(x, self.attended(self.normed(self.ln1, x)))
        m = self.normed(self.ln2, y)
        return add(m, self.fed(m))
