"""The rubric: one table of claims, with their points, what each waits for, its hint, and who asks and judges.

Change points here; they are integers and sum to 100. A check that waits for a failed one is blocked, so that
one mistake gives one message.
"""

from __future__ import annotations

from dataclasses import replace

from grader.checks import ask_attention as attention
from grader.checks import ask_block as block
from grader.checks import ask_rows as rows
from grader.checks.causality import hides_future, sees_all, sees_past
from grader.checks.check import Check
from grader.checks.composed import gradient_everywhere, gradient_of_record, is_causal, takes_part
from grader.checks.contract import leaves_no_trace, lists_parameters, refuses, stands_in
from grader.checks.heads import attend_apart
from grader.checks.shape import keeps_shape
from grader.checks.values import (
    equals_input,
    equals_reading,
    is_zero,
    normalises,
    switches_off,
    weights_sum_to_one,
)
from grader.records import Component, Probe

# fmt: off
_MHA = (
    Check("shape", "shape", 3, (), attention.attention_shapes, keeps_shape,
          "(T, D) in, (T, D) out: T lists of D Values, for any T and any H that divides D",
          "Work through the shapes with T=3, D=6, H=2 on paper: what has head_dim channels, what has D?"),
    Check("divisible", "contract", 2, ("shape",), attention.attention_indivisible, refuses,
          "embed_dim that num_heads does not divide is refused with AssertionError at construction",
          "The text gives the very line: assert embed_dim % num_heads == 0, in __init__.", expects_fault=True),
    Check("parameters", "contract", 4, ("shape",), attention.attention_shapes, lists_parameters,
          "parameters() lists every weight once, from construction on",
          "Module registers what is assigned to an attribute (also in lists); not dicts, not later appends."),
    Check("pure", "contract", 2, ("shape",), attention.attention_shapes, leaves_no_trace,
          "a call leaves its input alone and nothing behind: the same call gives the same answer",
          "Make new lists instead of writing into old ones, and keep nothing on self that forward changes."),
    Check("residual", "residual", 1, ("parameters",), attention.attention_zero, is_zero,
          "with all weights zero it returns zeros: the residual is the block's, not the attention's",
          "The shortcut x + ... belongs to TransformerBlock. Does forward add its own input somewhere?"),
    Check("past", "causality", 5, ("shape",),
          lambda seed: attention.attention_causal(seed) + attention.attention_strong(seed), hides_future,
          "causal, by default and when asked: no row moves when a later row changes",
          "Which pairs (i, j) may have a weight? Is the mask applied before softmax, in every head, on every path?"),
    Check("sees", "causality", 3, ("past",), attention.attention_causal, sees_past,
          "every row is moved by itself and by each earlier row",
          "A token sees itself: the mask keeps j <= i."),
    Check("values.causal", "values", 6, ("parameters", "past"), attention.attention_values, equals_reading,
          "equal weights give the numbers of scaled dot-product attention, for every number of heads",
          "Check the scale (sqrt of which size?), what softmax runs over, the concatenation, the output projection."),
    Check("open", "causality", 1, ("sees",), attention.attention_open, sees_all,
          "with causal=False every row sees every row",
          "Does forward look at its causal argument, and in the right sense?"),
    Check("values.open", "values", 1, ("values.causal", "open"), attention.attention_unmasked, equals_reading,
          "with causal=False equal weights give the numbers of unmasked attention",
          "Only the mask may differ between the two ways of calling."),
    Check("weights", "values", 2, ("sees",), attention.attention_single, weights_sum_to_one,
          "attention weights sum to 1 whatever the size of the scores",
          "With T=1 there is one weight. Is it 1 when the score is 5, or -40?"),
    Check("heads", "values", 3, ("parameters", "past"), attention.attention_graph, attend_apart,
          "each head attends on its own: num_heads sets of scores, each used for its own values",
          "Follow head 1: which weights make its q and k, and which values do its weights touch?"),
    Check("gradient", "gradient", 5, ("pure",), attention.attention_slopes, gradient_of_record,
          "backward() gives the gradient that the outputs really have",
          "Look for .data, float() or Value(...) between the input and the output."),
    Check("census", "gradient", 2, ("gradient", "parameters"),
          lambda seed: attention.attention_fresh(seed) + attention.attention_slopes(seed),
          takes_part,
          "every weight takes part and can learn on its own",
          "Is each projection that you build also used, and do the weights start different?"),
)
_NORM = (
    Check("shape", "shape", 2, (), rows.norm_shapes, keeps_shape,
          "a vector of D Values in, D Values out",
          "forward gets one row (a list of D Values) and returns one row."),
    Check("parameters", "contract", 3, ("shape",), rows.norm_shapes, lists_parameters,
          "parameters() lists D scales and D shifts, each once, and nothing else",
          "One list of D Values for the scale and one for the shift, assigned to attributes; eps is a plain number."),
    Check("pure", "contract", 1, ("shape",), rows.norm_shapes, leaves_no_trace,
          "a call leaves its input alone and nothing behind",
          "Build a new list; do not write into x."),
    Check("statistics", "values", 3, ("shape",), rows.norm_fresh, normalises,
          "a fresh layer gives mean 0 and variance 1 (divided by D)",
          "Mean, then deviations from it, then the mean of their squares, then the root."),
    Check("eps", "values", 3, ("statistics",), rows.norm_eps, equals_reading,
          "eps is added to the variance inside the root, 1e-5 by default, and used when given",
          "Try a row with a spread of 0.001, a constant row, and eps=1."),
    Check("affine", "values", 3, ("parameters", "statistics"), rows.norm_affine, equals_reading,
          "scale and shift are applied per channel, after the normalisation",
          "out = scale * normalised + shift. What happens to yours when both are 0.7?"),
    Check("gradient", "gradient", 3, ("pure",),
          lambda seed: rows.norm_slopes(seed) + rows.norm_flat_slope(seed),
          gradient_everywhere,
          "backward() gives the gradient that the outputs really have, through mean and variance too",
          "Mean and variance depend on x: compute them with Values, not .data; v ** 0.5 and v ** -0.5 are fine."),
)
_FFN = (
    Check("shape", "shape", 2, (), rows.feedforward_shapes, keeps_shape,
          "a vector of D Values in, D Values out",
          "forward gets one row (a list of D Values) and returns one row."),
    Check("parameters", "contract", 3, ("shape",), rows.feedforward_shapes, lists_parameters,
          "two layers, D -> hidden -> D, hidden is 4 * D unless hidden_dim is given, every weight listed once",
          "Two Linear layers as attributes; use hidden_dim when it is not None."),
    Check("pure", "contract", 1, ("shape",), rows.feedforward_shapes, leaves_no_trace,
          "a call leaves its input alone and nothing behind",
          "No randomness and no state in forward."),
    Check("residual", "residual", 1, ("parameters",), rows.feedforward_zero, is_zero,
          "with all weights zero it returns zeros: the residual is the block's",
          "The shortcut y + ... belongs to TransformerBlock."),
    Check("relu", "values", 2, ("parameters",), rows.feedforward_sides, switches_off,
          "ReLU between the two layers: negative hidden units are off, positive ones pass",
          "Which vector does ReLU act on: the input, the hidden one, or the output?"),
    Check("values", "values", 2, ("relu",), rows.feedforward_values, equals_reading,
          "equal weights give the numbers of D -> hidden -> D, nothing before and nothing after",
          "Linear, ReLU, Linear: is there anything else in your forward?"),
    Check("gradient", "gradient", 2, ("pure",), rows.feedforward_slopes, gradient_of_record,
          "backward() gives the gradient that the outputs really have",
          "Value has its own relu(); look for .data, float() or Value(...)."),
    Check("census", "gradient", 1, ("gradient", "parameters"),
          lambda seed: rows.feedforward_fresh(seed) + rows.feedforward_census(seed), takes_part,
          "both layers take part, and weights can learn on their own",
          "Is each layer that you build also used, and do the weights start different?"),
)
_BLOCK = (
    Check("shape", "shape", 2, (), block.block_shapes, keeps_shape,
          "(T, D) in, (T, D) out, for any T",
          "LayerNorm and FeedForward work on one row, attention on all rows."),
    Check("parameters", "contract", 3, ("shape",), block.block_shapes, stands_in,
          "one attention, two LayerNorms of its own, one feed-forward part, all registered, each used",
          "Four attributes: two norms, the attention, the feed-forward part."),
    Check("pure", "contract", 1, ("shape",), block.block_shapes, leaves_no_trace,
          "a call leaves its input alone and nothing behind",
          "x[i] += ... writes into the caller's list; build new rows."),
    Check("residual.identity", "residual", 4, ("shape",), block.block_identity, equals_input,
          "when both branches are silent the block returns its input: two residuals carry x itself",
          "y = x + ..., z = y + ...: what is added is the stream, not its normalised form."),
    Check("residual.attention", "residual", 3, ("residual.identity",), block.block_attention, equals_reading,
          "y = x + MHA(LN(x)), and y is carried on to the output",
          "Silence the feed-forward part in your head: is the result y, or x?"),
    Check("residual.feedforward", "residual", 3, ("residual.identity",), block.block_feedforward, equals_reading,
          "z = y + FFN(LN(y))",
          "Silence the attention in your head: what goes into the second norm, what into the feed-forward part?"),
    Check("causality", "causality", 4, ("shape",), block.block_causal, is_causal,
          "the block is causal: the future never moves a row, the past and the row itself do",
          "The attention is causal by default. How does your block call it?"),
    Check("values", "values", 4, ("parameters", "residual.attention", "residual.feedforward"), block.block_values,
          equals_reading,
          "attention first, then the feed-forward part on its result, each behind a norm of its own",
          "Write down y and z as in the text and compare line by line: what is the input of each part?"),
    Check("gradient", "gradient", 4, ("pure",), block.block_slopes, gradient_of_record,
          "backward() gives the gradient that the outputs really have, through both residuals",
          "Add Values, not their .data."),
)
# fmt: on


def _named(component: Component, checks: tuple[Check, ...]) -> tuple[Check, ...]:
    return tuple(replace(check, component=component) for check in checks)


RUBRIC: tuple[Check, ...] = (
    *_MHA,
    *_named("LayerNorm", _NORM),
    *_named("FeedForward", _FFN),
    *_named("TransformerBlock", _BLOCK),
)


def plan(seed: int, checks: tuple[Check, ...] = RUBRIC) -> dict[Check, tuple[Probe, ...]]:
    """What each check asks."""
    return {check: check.ask(seed) for check in checks}
