# component: TransformerBlock
# sentence: Your attention works on x; it should work on LN(x).
# hint: Write down y and z as in the text: what goes into each norm, and what is added to what?
# read: What to write


class TransformerBlock(TransformerBlock):
    def forward(self, x: Rows) -> Rows:
        y = add(x, self.attended(x))
        return add(y, self.fed(self.normed(self.ln2, y)))
