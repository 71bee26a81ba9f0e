# component: TransformerBlock
# sentence: Your branches work on the stream as it is; each should work on a normalised copy of it.
# hint: Write down y and z as in the text: what goes into each norm, and what is added to what?
# read: What to write


class TransformerBlock(TransformerBlock):
    def forward(self, x: Rows) -> Rows:
        y = add(x, self.attended(x))
        return add(y, self.fed(y))
