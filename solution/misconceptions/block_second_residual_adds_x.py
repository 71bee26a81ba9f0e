# component: TransformerBlock
# sentence: Your second residual adds x; it should add y, or the attention is lost.
# hint: Silence the feed-forward part: is your result y?
# read: What to write


class TransformerBlock(TransformerBlock):
    def forward(self, x: Rows) -> Rows:
        y = add(x, self.attended(self.normed(self.ln1, x)))
        return add(x, self.fed(self.normed(self.ln2, y)))
