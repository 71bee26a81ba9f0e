# component: TransformerBlock
# sentence: You add x to what goes into the attention; it should be added to what comes out.
# hint: With silent branches, does your block return x?
# read: What to write


class TransformerBlock(TransformerBlock):
    def forward(self, x: Rows) -> Rows:
        y = self.attended(add(self.normed(self.ln1, x), x))
        return add(y, self.fed(self.normed(self.ln2, y)))
