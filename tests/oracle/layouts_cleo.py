"""Where the right hand-ins called cleo_* keep their weights: one function per component, told by role."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

Weights = tuple[list[list[Any]], list[Any] | None]
Roles = dict[str, Any]
Layout = Callable[[Any], Roles]


def linear(layer: Any) -> Weights:
    """A whole Linear layer: its rows are outputs already."""
    return [list(row) for row in layer.weight], layer.bias


def some_outputs(layer: Any, channels: Sequence[int]) -> Weights:
    """The outputs of a Linear layer that the given channels name, in that order."""
    bias = layer.bias
    return [list(layer.weight[c]) for c in channels], None if bias is None else [bias[c] for c in channels]


def turned(matrix: Any, start: int = 0, stop: int | None = None) -> Weights:
    """Columns start..stop of a matrix kept as [input][output], as rows of outputs, without bias."""
    return [list(column) for column in zip(*matrix)][start:stop], None


def blocks(width: int, heads: int) -> list[range]:
    """Contiguous channels of every head."""
    head_dim = width // heads
    return [range(h * head_dim, (h + 1) * head_dim) for h in range(heads)]


def head(q: Weights, k: Weights, v: Weights, channels: Any = None, inner: Any = None) -> Roles:
    """One head; it reads the whole row unless channels are given."""
    return {"q": q, "k": k, "v": v, "channels": channels, "inner": inner}


def split(q: str, k: str, v: str, out: str, heads: str) -> Layout:
    """Full projections under these attribute names, cut into contiguous heads."""

    def layout(module: Any) -> Roles:
        layers = [getattr(module, name) for name in (q, k, v)]
        cuts = blocks(len(layers[0].weight), getattr(module, heads))
        return {
            "heads": [head(*(some_outputs(layer, cut) for layer in layers)) for cut in cuts],
            "out": linear(getattr(module, out)),
        }

    return layout


def norm(scale: str, shift: str, offset: bool = False) -> Layout:
    """Scale and shift under these attribute names."""
    return lambda module: {
        "scale": list(getattr(module, scale)),
        "shift": list(getattr(module, shift)),
        "offset": offset,
    }


def feed_forward(first: str, second: str) -> Layout:
    """Two Linear layers under these attribute names."""
    return lambda module: {"first": linear(getattr(module, first)), "second": linear(getattr(module, second))}


def block(norm1: str, attention: str, norm2: str, feedforward: str) -> Layout:
    """The four parts of a block under these attribute names."""
    return lambda module: {
        "norm1": getattr(module, norm1),
        "attention": getattr(module, attention),
        "norm2": getattr(module, norm2),
        "feedforward": getattr(module, feedforward),
    }


def matmul_attention(module: Any) -> Roles:
    """Matrices kept as [input][output], heads are blocks of columns."""
    matrices = (module.w_query, module.w_key, module.w_value)
    cuts = blocks(len(module.w_out), module.num_heads)
    return {
        "heads": [head(*(turned(m, cut.start, cut.stop) for m in matrices)) for cut in cuts],
        "out": turned(module.w_out),
    }


def matmul_feed_forward(module: Any) -> Roles:
    """Two matrices kept as [input][output]."""
    return {"first": turned(module.w_up), "second": turned(module.w_down)}


def head_modules(module: Any) -> Roles:
    """A module with its own three narrow layers for every head."""
    return {
        "heads": [head(linear(h.query), linear(h.key), linear(h.value)) for h in module.heads],
        "out": linear(module.proj),
    }


def fused_keys_values(module: Any) -> Roles:
    """Keys and values alternate head by head in one layer, queries have their own."""
    d = module.d
    heads = []
    for h, own in enumerate(blocks(module.n * d, module.n)):
        start = 2 * h * d
        keys, values = range(start, start + d), range(start + d, start + 2 * d)
        heads.append(
            head(
                some_outputs(module.to_q, own),
                some_outputs(module.to_kv, keys),
                some_outputs(module.to_kv, values),
            )
        )
    return {"heads": heads, "out": linear(module.to_out)}


def two_row_norm(module: Any) -> Roles:
    """Scale and shift are the two rows of one list."""
    scale, shift = module.affine
    return {"scale": list(scale), "shift": list(shift), "offset": False}


def summed_heads(module: Any) -> Roles:
    """Three narrow layers for every head, and one layer back from it; the results are summed."""
    return {
        "heads": [head(*(linear(layer) for layer in layers)) for layers in module.qkv],
        "out_heads": [linear(layer) for layer in module.back],
    }


def tuple_feed_forward(module: Any) -> Roles:
    """Both layers in one tuple."""
    first, second = module.ab
    return {"first": linear(first), "second": linear(second)}


def tuple_block(module: Any) -> Roles:
    """Both norms in one tuple."""
    return {"norm1": module.n[0], "attention": module.a, "norm2": module.n[1], "feedforward": module.f}


def fused_projection(module: Any) -> Roles:
    """All queries, then all keys, then all values in one layer."""
    width = module.embed_dim
    heads = []
    for own in blocks(width, module.num_heads):
        parts = [[offset + c for c in own] for offset in (0, width, 2 * width)]
        heads.append(head(*(some_outputs(module.W_qkv, part) for part in parts)))
    return {"heads": heads, "out": linear(module.W_o)}


def strided_heads(module: Any) -> Roles:
    """Head h owns the channels h, h + H, ...; the columns of the output projection are put in head order."""
    width = len(module.wo.weight)
    cuts = [range(h, width, module.num_heads) for h in range(module.num_heads)]
    layers = (module.wq, module.wk, module.wv)
    rows, bias = linear(module.wo)
    return {
        "heads": [head(*(some_outputs(layer, cut) for layer in layers)) for cut in cuts],
        "out": ([[row[c] for cut in cuts for c in cut] for row in rows], bias),
    }


def narrow_heads(module: Any) -> Roles:
    """A given SelfAttention on its own slice of the row for every head."""
    heads = []
    for own, one in zip(blocks(len(module.o.weight), len(module.h)), module.h):
        heads.append(head(linear(one.W_q), linear(one.W_k), linear(one.W_v), list(own), linear(one.W_o)))
    return {"heads": heads, "out": linear(module.o)}


def listed_feed_forward(module: Any) -> Roles:
    """Both layers in one list."""
    first, second = module.l
    return {"first": linear(first), "second": linear(second)}


def cut_heads(module: Any) -> Roles:
    """Full projections, cut by slice objects that the module keeps."""
    width = len(module.wo.weight)
    cuts = [range(*cut.indices(width)) for cut in module.cuts]
    layers = (module.wq, module.wk, module.wv)
    return {
        "heads": [head(*(some_outputs(layer, cut) for layer in layers)) for cut in cuts],
        "out": linear(module.wo),
    }


LAYOUTS: dict[str, dict[str, Layout]] = {
    "cleo_matmul_helpers": {
        "MultiHeadAttention": matmul_attention,
        "LayerNorm": norm("gain", "bias"),
        "FeedForward": matmul_feed_forward,
        "TransformerBlock": block("norm_a", "attention", "norm_b", "mlp"),
    },
    "cleo_dataclass_config": {
        "MultiHeadAttention": head_modules,
        "LayerNorm": norm("gamma", "beta"),
        "FeedForward": feed_forward("up", "down"),
        "TransformerBlock": block("ln_1", "attn", "ln_2", "mlp"),
    },
    "cleo_swapped_roles": {
        "MultiHeadAttention": split("K", "Q", "V", "O", "H"),  # what it calls K asks, what it calls Q is asked
        "LayerNorm": norm("w", "b"),
        "FeedForward": feed_forward("W1", "W2"),
        "TransformerBlock": lambda module: {
            "norm1": module.lns[0],
            "attention": module.mha,
            "norm2": module.lns[1],
            "feedforward": module.ffn,
        },
    },
    "cleo_fused_kv": {
        "MultiHeadAttention": fused_keys_values,
        "LayerNorm": two_row_norm,
        "FeedForward": feed_forward("lin_in", "lin_out"),
        "TransformerBlock": block("pre_attn", "attn", "pre_ffn", "ffn"),
    },
    "cleo_tuple_rows": {
        "MultiHeadAttention": summed_heads,
        "LayerNorm": norm("g", "b"),
        "FeedForward": tuple_feed_forward,
        "TransformerBlock": tuple_block,
    },
    "cleo_variance_moments": {
        "MultiHeadAttention": fused_projection,
        "LayerNorm": norm("gamma", "beta"),
        "FeedForward": feed_forward("fc1", "fc2"),
        "TransformerBlock": block("ln1", "mha", "ln2", "ffn"),
    },
    "cleo_gamma_offset": {
        "MultiHeadAttention": strided_heads,
        "LayerNorm": norm("w", "b", offset=True),
        "FeedForward": feed_forward("fc", "proj"),
        "TransformerBlock": block("ln_attn", "attn", "ln_ffn", "ffn"),
    },
    "cleo_ffn_layer_list": {
        "MultiHeadAttention": narrow_heads,
        "LayerNorm": norm("g", "b"),
        "FeedForward": listed_feed_forward,
        "TransformerBlock": block("l", "a", "m", "f"),
    },
    "cleo_polymorphic_layernorm": {
        "MultiHeadAttention": cut_heads,
        "LayerNorm": norm("weight", "bias"),
        "FeedForward": feed_forward("inner", "outer"),
        "TransformerBlock": block("norm1", "attn", "norm2", "mlp"),
    },
    "cleo_keyword_only_extras": {
        "MultiHeadAttention": split("query", "key", "value", "output", "num_heads"),
        "LayerNorm": norm("scale", "shift"),
        "FeedForward": feed_forward("expand", "contract"),
        "TransformerBlock": block("attention_norm", "attention", "feed_forward_norm", "feed_forward"),
    },
}
