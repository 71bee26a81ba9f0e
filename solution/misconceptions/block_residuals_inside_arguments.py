# component: TransformerBlock
# sentence: You add the stream to what goes into each branch; it should be added to what comes out.
# hint: With silent branches, does your block return x?
# read: What to write


class TransformerBlock(TransformerBlock):
    def forward(self, x: Rows) -> Rows:
        y = self.attended(add(self.normed(self.ln1, x), x))
        return self.fed(add(self.normed(self.ln2, y), y))
