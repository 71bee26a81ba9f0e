# component: TransformerBlock
# sentence: Your block replaces x by the attention's result; it should add it to x.
# hint: With silent branches, does your block return x?
# read: What to write


class TransformerBlock(TransformerBlock):
    def forward(self, x: Rows) -> Rows:
        y = self.attended(self.normed(self.ln1, x))
        return add(y, self.fed(self.normed(self.ln2, y)))
