# component: TransformerBlock
# sentence: Your first residual adds LN(x); it should add x as it was before the norm.
# hint: With silent branches, does your block return x?
# read: Where the text is silent


class TransformerBlock(TransformerBlock):
    def forward(self, x: Rows) -> Rows:
        n = self.normed(self.ln1, x)
        y = add(n, self.attended(n))
        return add(y, self.fed(self.normed(self.ln2, y)))
