"""Which parameters of bo's right hand-ins play which role."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Rows = list[list[Any]]
Affine = tuple[Rows, list[Any] | None]
Roles = dict[str, Any]
Reading = Callable[[Any], Roles]
Layout = dict[str, Reading]


def of_linear(layer: Any) -> Affine:
    """A Linear's rows and bias."""
    return layer.weight, layer.bias


def transposed(weight: Rows) -> Rows:
    """A matrix stored [in][out] as output rows."""
    return [list(column) for column in zip(*weight)]


def last_column_bias(weight: Rows) -> Affine:
    """A matrix whose rows end in their bias."""
    return [row[:-1] for row in weight], [row[-1] for row in weight]


def part(layer: Affine, rows: slice) -> Affine:
    """Some of the outputs of a layer."""
    weight, bias = layer
    return weight[rows], None if bias is None else bias[rows]


def head(q: Affine, k: Affine, v: Affine, channels: list[int] | None = None, inner: Affine | None = None) -> Roles:
    """The roles of one head."""
    return {"q": q, "k": k, "v": v, "channels": channels, "inner": inner}


def contiguous(q: Affine, k: Affine, v: Affine, out: Affine, heads: int) -> Roles:
    """Full projections cut into neighbouring slices."""
    width = len(q[0]) // heads
    cuts = [slice(h * width, (h + 1) * width) for h in range(heads)]
    return {"heads": [head(part(q, c), part(k, c), part(v, c)) for c in cuts], "out": out}


def interleaved(q: Affine, k: Affine, v: Affine, out: Affine, heads: int) -> Roles:
    """Full projections of which head h owns every heads-th channel from h on."""
    cuts = [slice(h, None, heads) for h in range(heads)]
    columns = [c for cut in cuts for c in range(len(q[0]))[cut]]
    weight, bias = out
    return {
        "heads": [head(part(q, c), part(k, c), part(v, c)) for c in cuts],
        "out": ([[row[c] for c in columns] for row in weight], bias),
    }


def attention_pasted_plain(m: Any) -> Roles:
    """Linears W_q, W_k, W_v, W_o."""
    return contiguous(of_linear(m.W_q), of_linear(m.W_k), of_linear(m.W_v), of_linear(m.W_o), m.num_heads)


def attention_better_value(m: Any) -> Roles:
    """Heads with query, key and value of their own."""
    return {
        "heads": [head(of_linear(h.query), of_linear(h.key), of_linear(h.value)) for h in m.heads],
        "out": of_linear(m.proj),
    }


def attention_raw_out_in(m: Any) -> Roles:
    """Raw lists with biases beside them."""
    return contiguous((m.wq, m.bq), (m.wk, m.bk), (m.wv, m.bv), (m.wo, m.bo), m.H)


def attention_raw_in_out(m: Any) -> Roles:
    """Raw lists stored [in][out], no bias."""
    q, k, v, out = [(transposed(w), None) for w in (m.Wq, m.Wk, m.Wv, m.Wo)]
    return contiguous(q, k, v, out, m.num_heads)


def attention_interleaved(m: Any) -> Roles:
    """Strided heads."""
    return interleaved(of_linear(m.to_q), of_linear(m.to_k), of_linear(m.to_v), of_linear(m.to_out), m.stride)


def attention_no_shift(m: Any) -> Roles:
    """Raw lists per head, output projections summed."""
    heads = [head((q, None), (k, None), (v, None)) for q, k, v in zip(m.Wq, m.Wk, m.Wv)]
    return {"heads": heads, "out_heads": [(out, None) for out in m.Wo]}


def attention_lse(m: Any) -> Roles:
    """One fused Linear for q, k and v."""
    fused, dim = of_linear(m.qkv), m.embed_dim
    q, k, v = [part(fused, slice(n * dim, (n + 1) * dim)) for n in range(3)]
    return contiguous(q, k, v, of_linear(m.out), m.num_heads)


def attention_fourth_root(m: Any) -> Roles:
    """Head modules with q, k, v."""
    return {"heads": [head(of_linear(h.q), of_linear(h.k), of_linear(h.v)) for h in m.heads], "out": of_linear(m.mix)}


def attention_triu_skip(m: Any) -> Roles:
    """Raw rows that end in their bias."""
    q, k, v, out = [last_column_bias(w) for w in (m.Q, m.K, m.V, m.O)]
    return contiguous(q, k, v, out, m.num_heads)


def attention_main_demo(m: Any) -> Roles:
    """A SelfAttention per slice of the row."""
    heads = []
    for n, h in enumerate(m.heads):
        channels = list(range(n * m.head_dim, (n + 1) * m.head_dim))
        heads.append(head(of_linear(h.W_q), of_linear(h.W_k), of_linear(h.W_v), channels, of_linear(h.W_o)))
    return {"heads": heads, "out": of_linear(m.W_o)}


def norm(scale: str, shift: str, offset: bool = False) -> Reading:
    """A LayerNorm whose two lists have these names."""
    return lambda m: {"scale": getattr(m, scale), "shift": getattr(m, shift), "offset": offset}


def norm_pairs(m: Any) -> Roles:
    """A LayerNorm that keeps (scale, shift) pairs."""
    return {"scale": [pair[0] for pair in m.affine], "shift": [pair[1] for pair in m.affine], "offset": False}


def linears(first: str, second: str) -> Reading:
    """A FeedForward whose two Linears have these names."""
    return lambda m: {"first": of_linear(getattr(m, first)), "second": of_linear(getattr(m, second))}


def feedforward_raw_out_in(m: Any) -> Roles:
    """Raw lists with biases beside them."""
    return {"first": (m.w1, m.b1), "second": (m.w2, m.b2)}


def feedforward_raw_in_out(m: Any) -> Roles:
    """Raw lists stored [in][out], no bias."""
    return {"first": (transposed(m.W_up), None), "second": (transposed(m.W_down), None)}


def feedforward_no_shift(m: Any) -> Roles:
    """Raw lists named by letters."""
    return {"first": (m.A, m.a), "second": (m.B, m.b)}


def feedforward_fourth_root(m: Any) -> Roles:
    """Two Linears in a list."""
    return {"first": of_linear(m.layers[0]), "second": of_linear(m.layers[1])}


def feedforward_triu_skip(m: Any) -> Roles:
    """Raw rows that end in their bias."""
    return {"first": last_column_bias(m.W1), "second": last_column_bias(m.W2)}


def block(norm1: str, attention: str, norm2: str, feedforward: str) -> Reading:
    """A block whose parts have these names."""
    return lambda m: {
        "norm1": getattr(m, norm1),
        "attention": getattr(m, attention),
        "norm2": getattr(m, norm2),
        "feedforward": getattr(m, feedforward),
    }


def block_fourth_root(m: Any) -> Roles:
    """A block that keeps its norms in a list."""
    return {"norm1": m.norms[0], "attention": m.attention, "norm2": m.norms[1], "feedforward": m.feedforward}


def layout(attention: Reading, layer_norm: Reading, feedforward: Reading, whole: Reading) -> Layout:
    """The four functions of one hand-in."""
    return {
        "MultiHeadAttention": attention,
        "LayerNorm": layer_norm,
        "FeedForward": feedforward,
        "TransformerBlock": whole,
    }


LAYOUTS: dict[str, Layout] = {
    "bo_pasted_plain": layout(
        attention_pasted_plain, norm("gamma", "beta"), linears("fc1", "fc2"), block("ln1", "attn", "ln2", "ffn")
    ),
    "bo_pasted_better_value": layout(
        attention_better_value, norm("scale", "shift"), linears("up", "down"), block("norm1", "mha", "norm2", "ffn")
    ),
    "bo_raw_out_in": layout(
        attention_raw_out_in, norm("g", "b"), feedforward_raw_out_in, block("ln_a", "att", "ln_f", "ff")
    ),
    "bo_raw_in_out": layout(
        attention_raw_in_out,
        norm("scale", "shift"),
        feedforward_raw_in_out,
        block("norm_1", "attention", "norm_2", "feed_forward"),
    ),
    "bo_interleaved_heads": layout(
        attention_interleaved,
        norm("w", "b", offset=True),
        linears("expand", "contract"),
        block("pre_attention", "attention", "pre_mlp", "mlp"),
    ),
    "bo_softmax_no_shift": layout(
        attention_no_shift, norm("weight", "bias"), feedforward_no_shift, block("n1", "mha", "n2", "ffn")
    ),
    "bo_lse_softmax": layout(
        attention_lse, norm("alpha", "beta"), linears("lin1", "lin2"), block("ln_1", "mha", "ln_2", "ffn")
    ),
    "bo_fourth_root_scale": layout(
        attention_fourth_root, norm("gain", "offset"), feedforward_fourth_root, block_fourth_root
    ),
    "bo_triu_skip": layout(attention_triu_skip, norm_pairs, feedforward_triu_skip, block("ln1", "mha", "ln2", "ffn")),
    "bo_main_demo": layout(
        attention_main_demo, norm("gamma", "beta"), linears("w1", "w2"), block("ln1", "mha", "ln2", "ffn")
    ),
}
