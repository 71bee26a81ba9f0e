# component: TransformerBlock
# sentence: Your attention's result is not used; it is added to x to give y.
# hint: Does any row of your output depend on another row?
# read: What to write


class TransformerBlock(TransformerBlock):
    def forward(self, x: Rows) -> Rows:
        return add(x, self.fed(self.normed(self.ln2, x)))
