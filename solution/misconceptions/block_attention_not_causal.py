# component: TransformerBlock
# sentence: Your block calls its attention with causal=False, so rows see later rows; the block is causal.
# hint: How does your block call its attention?
# read: Where the text is silent


class TransformerBlock(TransformerBlock):
    def attended(self, x: Rows) -> Rows:
        return self.attention(x, causal=False)
