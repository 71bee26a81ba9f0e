# component: MultiHeadAttention
# sentence: Your attention adds its own input to its output; the residual belongs to TransformerBlock.
# hint: What should attention return when all its weights are zero?
# read: What to write


class MultiHeadAttention(MultiHeadAttention):
    def forward(self, x: Rows, causal: bool = True) -> Rows:
        return add(x, super().forward(x, causal))
