"""Where the weights of the right hand-ins by ada sit: roles made of each module's own Values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Affine = tuple[list[list[Any]], list[Any] | None]
Roles = dict[str, Any]


def linear(layer: Any, rows: range | None = None) -> Affine:
    """Weight and bias of a Linear, or only some of its output rows."""
    rows = range(len(layer.weight)) if rows is None else rows
    return [layer.weight[r] for r in rows], None if layer.bias is None else [layer.bias[r] for r in rows]


def raw(matrix: Any, bias: Any, columns: range | None = None) -> Affine:
    """A matrix stored [in][out] turned into rows of outputs, or only some of its outputs."""
    columns = range(len(bias)) if columns is None else columns
    return [[row[c] for row in matrix] for c in columns], [bias[c] for c in columns]


def head(q: Affine, k: Affine, v: Affine, *, channels: list[int] | None = None, inner: Affine | None = None) -> Roles:
    """One head's roles."""
    return {"q": q, "k": k, "v": v, "channels": channels, "inner": inner}


def full(q: str, k: str, v: str, out: str, head_dim: str) -> Callable[[Any], Roles]:
    """Full projections cut into contiguous head slices."""

    def attention(module: Any) -> Roles:
        d = getattr(module, head_dim)
        layers = [getattr(module, name) for name in (q, k, v)]
        starts = range(0, len(layers[0].weight), d)
        return {
            "heads": [head(*(linear(layer, range(s, s + d)) for layer in layers)) for s in starts],
            "out": linear(getattr(module, out)),
        }

    return attention


def fused(layer: Any, out: Any, d: int, heads: int, blocked: bool) -> Roles:
    """A fused projection: [q_h k_h v_h] per head when blocked, else all q, all k, all v."""

    def rows(n: int, h: int) -> range:
        start = (3 * h + n) * d if blocked else (n * heads + h) * d
        return range(start, start + d)

    return {
        "heads": [head(*(linear(layer, rows(n, h)) for n in range(3))) for h in range(heads)],
        "out": linear(out),
    }


def own_heads(module: Any) -> Roles:
    """A list of head modules with query, key and value."""
    heads = [head(linear(h.query), linear(h.key), linear(h.value)) for h in module.heads]
    return {"heads": heads, "out": linear(module.output)}


def layer_lists(module: Any) -> Roles:
    """Three lists of per-head layers."""
    layers = zip(module.q_layers, module.k_layers, module.v_layers, strict=True)
    return {"heads": [head(linear(q), linear(k), linear(v)) for q, k, v in layers], "out": linear(module.o_layer)}


def raw_attention(module: Any) -> Roles:
    """Raw matrices stored [in][out], cut into contiguous head slices."""
    heads = []
    for h in range(module.num_heads):
        columns = range(h * module.size, (h + 1) * module.size)
        pairs = ((module.q_mat, module.q_bias), (module.k_mat, module.k_bias), (module.v_mat, module.v_bias))
        heads.append(head(*(raw(matrix, bias, columns) for matrix, bias in pairs)))
    return {"heads": heads, "out": raw(module.o_mat, module.o_bias)}


def narrow(module: Any) -> Roles:
    """A SelfAttention per slice of the channels, then a projection."""
    d = module.head_dim
    heads = [
        head(
            linear(a.W_q),
            linear(a.W_k),
            linear(a.W_v),
            channels=list(range(h * d, h * d + d)),
            inner=linear(a.W_o),
        )
        for h, a in enumerate(module.heads)
    ]
    return {"heads": heads, "out": linear(module.projection)}


def norm(scale: str, shift: str, offset: bool = False) -> Callable[[Any], Roles]:
    """LayerNorm by the names of its two lists."""
    return lambda module: {"scale": getattr(module, scale), "shift": getattr(module, shift), "offset": offset}


def mlp(first: str, second: str) -> Callable[[Any], Roles]:
    """FeedForward by the names of its two Linears."""
    return lambda module: {"first": linear(getattr(module, first)), "second": linear(getattr(module, second))}


def block(norm1: str, attention: str, norm2: str, feedforward: str) -> Callable[[Any], Roles]:
    """TransformerBlock by the names of its four parts."""
    names = {"norm1": norm1, "attention": attention, "norm2": norm2, "feedforward": feedforward}
    return lambda module: {role: getattr(module, name) for role, name in names.items()}


def table(attention: Any, layer_norm: Any, feedforward: Any, transformer: Any) -> dict[str, Callable[[Any], Roles]]:
    """One line of the table."""
    return {
        "MultiHeadAttention": attention,
        "LayerNorm": layer_norm,
        "FeedForward": feedforward,
        "TransformerBlock": transformer,
    }


LAYOUTS: dict[str, dict[str, Callable[[Any], Roles]]] = {
    "ada_fused_blocked": table(
        lambda m: fused(m.qkv, m.proj, m.d, m.h, True),
        norm("g", "b"),
        mlp("up", "down"),
        block("n1", "mha", "n2", "ffn"),
    ),
    "ada_project_then_split": table(
        full("W_q", "W_k", "W_v", "W_o", "head_dim"),
        norm("gamma", "beta"),
        mlp("fc1", "fc2"),
        block("ln1", "attn", "ln2", "ffn"),
    ),
    "ada_no_bias_qkv": table(
        own_heads,
        norm("weight", "bias"),
        mlp("expand", "contract"),
        block("norm_attn", "attention", "norm_ffn", "feed_forward"),
    ),
    "ada_no_bias_anywhere": table(
        lambda m: fused(m.in_proj, m.out_proj, len(m.out_proj.weight) // m.num_heads, m.num_heads, False),
        norm("scale", "shift"),
        mlp("w1", "w2"),
        block("ln_1", "attn", "ln_2", "mlp"),
    ),
    "ada_scale_fourth_root": table(
        full("wq", "wk", "wv", "wo", "d"),
        norm("gain", "offset"),
        mlp("first", "second"),
        block("norm_a", "att", "norm_b", "ff"),
    ),
    "ada_scale_on_q": table(
        full("W_q", "W_k", "W_v", "W_o", "head_dim"),
        norm("gamma", "beta"),
        mlp("fc_in", "fc_out"),
        block("ln1", "mha", "ln2", "ffn"),
    ),
    "ada_minus_infinity_mask": table(
        layer_lists,
        norm("scale", "shift"),
        mlp("layer1", "layer2"),
        block("before_attention", "attention", "before_mlp", "mlp"),
    ),
    "ada_cached_mask": table(
        lambda m: fused(m.qkv_proj, m.out_proj, m.head_dim, m.num_heads, False),
        norm("gamma", "beta"),
        mlp("lin1", "lin2"),
        lambda m: {"norm1": m.norms[0], "attention": m.mha, "norm2": m.norms[1], "feedforward": m.ffn},
    ),
    "ada_assert_helper": table(
        raw_attention,
        norm("extra_gain", "shift", offset=True),
        lambda m: {"first": raw(m.mat1, m.bias1), "second": raw(m.mat2, m.bias2)},
        block("norm1", "attention", "norm2", "feed"),
    ),
    "ada_ffn_sequential": table(
        narrow,
        norm("gamma", "beta"),
        lambda m: {"first": linear(m.net.layers[0]), "second": linear(m.net.layers[2])},
        block("norm1", "attention", "norm2", "feed_forward"),
    ),
}
