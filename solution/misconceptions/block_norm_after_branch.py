# component: TransformerBlock
# sentence: Your block normalises what comes out of each branch; pre-norm normalises what goes into it.
# hint: Write down y and z as in the text: what goes into each norm, and what is added to what?
# read: What to write


class TransformerBlock(TransformerBlock):
    def forward(self, x: Rows) -> Rows:
        y = add(x, self.normed(self.ln1, self.attended(x)))
        return add(y, self.normed(self.ln2, self.fed(y)))
