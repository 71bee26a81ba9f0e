# component: TransformerBlock
# sentence: Your block halves each sum (it averages x and the branch); a residual just adds.
# hint: With silent branches, does your block return x?
# read: What to write


class TransformerBlock(TransformerBlock):
    def forward(self, x: Rows) -> Rows:
        y = [[v * 0.5 for v in row] for row in add(x, self.attended(self.normed(self.ln1, x)))]
        return [[v * 0.5 for v in row] for row in add(y, self.fed(self.normed(self.ln2, y)))]
