# component: TransformerBlock
# sentence: Your block overwrites x with the attention's result and adds that to itself; keep x and add it.
# hint: With silent branches, does your block return x?
# read: What to write


class TransformerBlock(TransformerBlock):
    def forward(self, x: Rows) -> Rows:
        y = self.attended(self.normed(self.ln1, x))
        y = add(y, y)
        return add(y, self.fed(self.normed(self.ln2, y)))
