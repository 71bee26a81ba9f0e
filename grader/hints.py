"""Hints in steps: the rubric's own is the first; these follow, each a little closer, none the code."""

from __future__ import annotations

# By line of the rubric: the second hint and the third.
STEPS: dict[str, tuple[str, str]] = {
    "MultiHeadAttention.shape": (
        "Read the table of shapes in the handout, then print len() of what each of your steps returns.",
        "After the heads you hold H lists of T rows of head_dim Values; the result is T rows of H * head_dim Values.",
    ),
    "MultiHeadAttention.divisible": (
        "Read the rules of MultiHeadAttention: which line of the text checks the sizes, and when?",
        "Construct MultiHeadAttention(5, 2) yourself: it must fail before any layer is built, with AssertionError.",
    ),
    "MultiHeadAttention.parameters": (
        "Print len(module.parameters()) for D=6, H=2 and count by hand: how many matrices, how many biases?",
        "Compare len(set(map(id, p))) with len(p), and both before and after a call of forward.",
    ),
    "MultiHeadAttention.pure": (
        "Call forward twice on one input and compare; then once on a longer input in between.",
        "Look for lists on self that forward appends to or writes into, and for random numbers.",
    ),
    "MultiHeadAttention.residual": (
        "With all parameters 0 the values are 0, so what is mixed is 0. What else does your result hold?",
        "Read 'TransformerBlock' in the handout: which class adds x?",
    ),
    "MultiHeadAttention.past": (
        "Write the T x T table of who may see whom for T=3 and compare it with the weights that you get.",
        "Print one row of scores before and after the mask, in the last head too: are the forbidden ones below -1000?",
    ),
    "MultiHeadAttention.sees": (
        "Print the attention weights of row 0 with causal=True: there is one allowed position, and it is row 0.",
        "Compare your condition with the docstring of causal_mask in nn.py: is the diagonal allowed?",
    ),
    "MultiHeadAttention.open": (
        "Call forward(x, causal=False), change the last row of x, and look at row 0 of the result.",
        "Follow the argument: does it reach the place where the mask is applied, in every head?",
    ),
    "MultiHeadAttention.values.causal": (
        "The handout's worked numbers set every parameter to 0.5: work through its two rows beside your code.",
        "With all parameters equal only these are left to be wrong: scale, mask, softmax axis, head width, projection.",
    ),
    "MultiHeadAttention.values.open": (
        "The handout gives row 0 for causal=False as well; compare.",
        "If causal=True gives the right numbers, only what the flag switches can be wrong.",
    ),
    "MultiHeadAttention.weights": (
        "Add up one row of weights for scores such as -40, -50: the sum is 1.",
        "The given softmax subtracts the row's maximum first. What does yours do with very negative scores?",
    ),
    "MultiHeadAttention.heads": (
        "Give each head another set of weights and ask: which scores change when only head 0's weights do?",
        "Every head needs its own softmax over its own scores, and multiplies its own values.",
    ),
    "MultiHeadAttention.gradient": (
        "Read 'May I use v.data?' in the handout.",
        "Call backward() on a sum of outputs times different numbers; which x[t][c].grad stay 0?",
    ),
    "MultiHeadAttention.census": (
        "After backward(), list the parameters whose grad is 0: to which of your layers do they belong?",
        "Only the bias of the keys may have no gradient. Do two layers start with equal numbers?",
    ),
    "LayerNorm.shape": (
        "Read the table of shapes: LayerNorm gets one vector, not the whole sequence.",
        "What does your forward return for [Value(1.0), Value(2.0), Value(4.0)]?",
    ),
    "LayerNorm.parameters": (
        "Print len(LayerNorm(5).parameters()): scale and shift make 10.",
        "Numbers that are learned are Values; eps is not learned.",
    ),
    "LayerNorm.pure": (
        "Keep a copy of x before the call and compare it with x afterwards.",
        "Every assignment to x[i] changes the caller's list.",
    ),
    "LayerNorm.statistics": (
        "The handout works out [1, 2, 3, 4]: mean 2.5, variance 1.25. Print yours.",
        "Divide the sum of squared deviations by D, take the root, divide the deviations by it.",
    ),
    "LayerNorm.eps": (
        "The handout gives [1, 2, 3, 4] with eps=1.0: the divisor is the root of 1.25 + 1.0.",
        "Which eps does your code use when LayerNorm(5, 0.1) is constructed, and where is it added?",
    ),
    "LayerNorm.affine": (
        "Set scale to 2 and shift to 3: a normalised 0 must come out as 3.",
        "If scale and shift come before the normalisation, it takes their effect away again.",
    ),
    "LayerNorm.gradient": (
        "Read 'May I use v.data?' in the handout. The mean depends on every x[i]; so does the variance.",
        "A constant row divides by the root of eps, not by zero: where would yours divide by zero in backward?",
    ),
    "FeedForward.shape": (
        "Read the table of shapes: FeedForward gets one vector, not the whole sequence.",
        "What does your forward return for a list of 5 Values?",
    ),
    "FeedForward.parameters": (
        "For D=5 the layers are 5 -> 20 and 20 -> 5; with hidden_dim=7 they are 5 -> 7 and 7 -> 5.",
        "Print the number of parameters for FeedForward(5) and FeedForward(5, 7) and count by hand.",
    ),
    "FeedForward.pure": (
        "Call forward twice on one input and compare.",
        "Is there anything random in forward, or a layer that is built there?",
    ),
    "FeedForward.residual": (
        "With all parameters 0 both layers return 0. What else does your result hold?",
        "Read 'TransformerBlock' in the handout: which class adds y?",
    ),
    "FeedForward.relu": (
        "The handout's FeedForward(2) turns [1, -3] into [0.5, 0.5]: every hidden sum is negative there.",
        "A hidden unit with sum -2 contributes 0; one with sum 2 contributes 2 times its weight.",
    ),
    "FeedForward.values": (
        "The handout's FeedForward(2) turns [1, 2] into [8.5, 8.5]. What does yours make of it?",
        "Count what happens between x and the result: one layer, one ReLU, one layer.",
    ),
    "FeedForward.gradient": (
        "Read 'May I use v.data?' in the handout.",
        "h.relu() is a Value that knows its slope; max(0.0, h.data) is a number that does not.",
    ),
    "FeedForward.census": (
        "After backward(), list the parameters whose grad is 0: to which layer do they belong?",
        "Do all weights start with the same number? Then every hidden unit learns the same.",
    ),
    "TransformerBlock.shape": (
        "Attention takes the list of rows; the norms and the feed-forward part take one row at a time.",
        "Call the block with T=1 and with T=6 and print len() of the result and of its rows.",
    ),
    "TransformerBlock.parameters": (
        "The parts are built from the classes of your file: one attention, two norms, one feed-forward part.",
        "Is super().__init__() called first, is each part an attribute, and is each used in forward?",
    ),
    "TransformerBlock.pure": (
        "Keep a copy of the rows of x before the call and compare afterwards.",
        "y has to be new lists: y[t][c] = x[t][c] + ..., not x[t][c] += ...",
    ),
    "TransformerBlock.residual.identity": (
        "If attention and feed-forward return zeros, y = x + 0 and z = y + 0. What does yours return?",
        "Is what you add to really x, or did a line above replace it by its normalised form?",
    ),
    "TransformerBlock.residual.attention": (
        "If feed-forward returns zeros, z = y = x + MHA(LN(x)).",
        "Which variable does your last line add the feed-forward result to?",
    ),
    "TransformerBlock.residual.feedforward": (
        "If attention returns zeros, y = x and z = x + FFN(LN(x)).",
        "The feed-forward part gets the normalised y; the sum takes y as it is.",
    ),
    "TransformerBlock.causality": (
        "Change the last row of x: only the last row of the result may move.",
        "Norms and feed-forward act on rows; does one of your loops run over columns, or over all rows at once?",
    ),
    "TransformerBlock.values": (
        "Name your variables as the text does, x, y and z, and read the two formulas aloud beside the code.",
        "The second norm and the feed-forward part start from y, not from x.",
    ),
    "TransformerBlock.gradient": (
        "Read 'May I use v.data?' in the handout.",
        "Call backward() on a sum of outputs times different numbers; which x[t][c].grad are wrong at once?",
    ),
}


def steps(check: str, first: str) -> tuple[str, ...]:
    """All hints of one line of the rubric, the gentlest first."""
    return (first, *STEPS.get(check, ()))
