# component: TransformerBlock
# sentence: Your residuals add plain numbers (.data), so the shortcut carries no gradient; add the Values themselves.
# hint: How does a gradient get past a branch in your block?
# read: Questions


class TransformerBlock(TransformerBlock):
    def forward(self, x: Rows) -> Rows:
        kept = [[v.data for v in row] for row in x]
        y = add(self.attended(self.normed(self.ln1, x)), kept)
        kept = [[v.data for v in row] for row in y]
        return add(self.fed(self.normed(self.ln2, y)), kept)
