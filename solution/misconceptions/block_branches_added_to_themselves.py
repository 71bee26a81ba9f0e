# component: TransformerBlock
# sentence: Your block overwrites the stream with each branch's result and adds that to itself; keep the stream and add it.
# hint: With silent branches, does your block return x?
# read: What to write


class TransformerBlock(TransformerBlock):
    def forward(self, x: Rows) -> Rows:
        y = self.attended(self.normed(self.ln1, x))
        y = add(y, y)
        z = self.fed(self.normed(self.ln2, y))
        return add(z, z)
