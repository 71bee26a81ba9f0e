"""Which parameter plays which role in dan's right hand-ins. Roles are the modules' own Values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Roles = dict[str, Any]
Layout = Callable[[Any], Roles]


def affine(linear: Any) -> Any:
    """(W, b) of one Linear, b None without a bias."""
    return linear.weight, linear.bias


def head(q: Any, k: Any, v: Any, channels: list[int] | None = None, inner: Any = None) -> Roles:
    """One head's roles from its Linear layers."""
    return {
        "q": affine(q),
        "k": affine(k),
        "v": affine(v),
        "channels": channels,
        "inner": None if inner is None else affine(inner),
    }


def norm(scale: str, shift: str, offset: bool = False) -> Layout:
    """LayerNorm with two plain lists."""
    return lambda m: {"scale": getattr(m, scale), "shift": getattr(m, shift), "offset": offset}


def feed(first: str, second: str) -> Layout:
    """FeedForward with two named Linear layers."""
    return lambda m: {"first": affine(getattr(m, first)), "second": affine(getattr(m, second))}


def feed_list(attribute: str, first: int = 0, second: int = 1) -> Layout:
    """FeedForward with its Linear layers in a list."""
    return lambda m: {
        "first": affine(getattr(m, attribute)[first]),
        "second": affine(getattr(m, attribute)[second]),
    }


def block(norm1: str, attention: str, norm2: str, feedforward: str) -> Layout:
    """TransformerBlock with four named parts."""
    return lambda m: {
        "norm1": getattr(m, norm1),
        "attention": getattr(m, attention),
        "norm2": getattr(m, norm2),
        "feedforward": getattr(m, feedforward),
    }


def head_class(q: str, k: str, v: str, out: str) -> Layout:
    """MultiHeadAttention with a list of Head modules reading all channels."""
    return lambda m: {
        "heads": [head(getattr(h, q), getattr(h, k), getattr(h, v)) for h in m.heads],
        "out": affine(getattr(m, out)),
    }


def narrow_selfattention(m: Any) -> Roles:
    """SelfAttention(head_dim) on contiguous slices."""
    d = m.head_dim
    return {
        "heads": [head(h.W_q, h.W_k, h.W_v, list(range(i * d, (i + 1) * d)), h.W_o) for i, h in enumerate(m.heads)],
        "out": affine(m.W_o),
    }


def narrow_strided(m: Any) -> Roles:
    """Head i reads channels i, i + H, ..."""
    width = len(m.mix.weight)
    return {
        "heads": [head(h.q, h.k, h.v, list(range(i, width, m.H))) for i, h in enumerate(m.small)],
        "out": affine(m.mix),
    }


def summed(m: Any) -> Roles:
    """Per-head output projections, added up."""
    return {
        "heads": [head(h.Wq, h.Wk, h.Wv) for h in m.heads],
        "out_heads": [affine(h.Wo) for h in m.heads],
    }


def setattr_heads(m: Any) -> Roles:
    """head0, head1, ... as attributes."""
    heads = [getattr(m, f"head{i}") for i in range(m.num_heads)]
    return {"heads": [head(h.W_q, h.W_k, h.W_v) for h in heads], "out": affine(m.W_o)}


def augmented(m: Any) -> Roles:
    """Each head keeps q, k and v in one list."""
    return {"heads": [head(*h.qkv) for h in m.heads], "out": affine(m.final)}


def inner_projection(m: Any) -> Roles:
    """Wide heads with their own small W_o."""
    return {"heads": [head(h.W_q, h.W_k, h.W_v, None, h.W_o) for h in m.heads], "out": affine(m.out_proj)}


def sliced_parent(m: Any) -> Roles:
    """Full projections of SelfAttention, cut into heads by output row."""

    def part(linear: Any, i: int) -> Any:
        rows = slice(i * m.head_dim, (i + 1) * m.head_dim)
        return linear.weight[rows], linear.bias[rows]

    return {
        "heads": [
            {"q": part(m.W_q, i), "k": part(m.W_k, i), "v": part(m.W_v, i), "channels": None, "inner": None}
            for i in range(m.num_heads)
        ],
        "out": affine(m.W_o),
    }


def nested(m: Any) -> Roles:
    """heads = [[q, k, v], ...]."""
    return {"heads": [head(q, k, v) for q, k, v in m.heads], "out": affine(m.output)}


def wrapped_block(m: Any) -> Roles:
    """Residual(PreNorm(norm, layer)) twice."""
    attend, fed = m.attend.fn, m.feed.fn
    return {"norm1": attend.norm, "attention": attend.fn, "norm2": fed.norm, "feedforward": fed.fn.fn}


LAYOUTS: dict[str, dict[str, Layout]] = {
    "dan_head_class_listcomp": {
        "MultiHeadAttention": head_class("query", "key", "value", "proj"),
        "LayerNorm": norm("gamma", "beta"),
        "FeedForward": feed("fc1", "fc2"),
        "TransformerBlock": block("ln1", "attn", "ln2", "ffn"),
    },
    "dan_narrow_selfattention_slices": {
        "MultiHeadAttention": narrow_selfattention,
        "LayerNorm": norm("scale", "shift"),
        "FeedForward": feed_list("layers"),
        "TransformerBlock": lambda m: {
            "norm1": m.norms[0],
            "attention": m.mha,
            "norm2": m.norms[1],
            "feedforward": m.ffn,
        },
    },
    "dan_narrow_strided_qkv": {
        "MultiHeadAttention": narrow_strided,
        "LayerNorm": norm("weight", "bias"),
        "FeedForward": feed("up", "down"),
        "TransformerBlock": block("norm_a", "attention", "norm_f", "feed"),
    },
    "dan_sum_of_head_outputs": {
        "MultiHeadAttention": summed,
        "LayerNorm": norm("g", "b"),
        "FeedForward": feed("W1", "W2"),
        "TransformerBlock": block("ln1", "mha", "ln2", "ffn"),
    },
    "dan_setattr_heads_pasted": {
        "MultiHeadAttention": setattr_heads,
        "LayerNorm": norm("gamma", "beta"),
        "FeedForward": feed("linear1", "linear2"),
        "TransformerBlock": block("ln0", "mha", "ln1", "ffn"),
    },
    "dan_augmented_heads": {
        "MultiHeadAttention": augmented,
        "LayerNorm": norm("delta", "shift", offset=True),
        "FeedForward": feed_list("steps", 0, 2),
        "TransformerBlock": lambda m: {
            "norm1": m.layers[0],
            "attention": m.layers[1],
            "norm2": m.layers[2],
            "feedforward": m.layers[3],
        },
    },
    "dan_two_projections_in_a_row": {
        "MultiHeadAttention": inner_projection,
        "LayerNorm": lambda m: {"scale": m.affine.mul, "shift": m.affine.add, "offset": False},
        "FeedForward": feed("inner", "outer"),
        "TransformerBlock": block("first_norm", "attention", "second_norm", "mlp"),
    },
    "dan_prenorm_residual_wrappers": {
        "MultiHeadAttention": head_class("to_q", "to_k", "to_v", "to_out"),
        "LayerNorm": lambda m: {
            "scale": [pair[0] for pair in m.scale_shift],
            "shift": [pair[1] for pair in m.scale_shift],
            "offset": False,
        },
        "FeedForward": feed("expand", "shrink"),
        "TransformerBlock": wrapped_block,
    },
    "dan_subclassed_selfattention": {
        "MultiHeadAttention": sliced_parent,
        "LayerNorm": norm("a", "b"),
        "FeedForward": feed("wide", "back"),
        "TransformerBlock": block("ln_mha", "mha", "ln_ffn", "ffn"),
    },
    "dan_nested_lists_of_linears_pasted": {
        "MultiHeadAttention": nested,
        "LayerNorm": lambda m: {"scale": m.affine[0], "shift": m.affine[1], "offset": False},
        "FeedForward": feed_list("net"),
        "TransformerBlock": lambda m: {
            "norm1": m.sublayers[0][0],
            "attention": m.sublayers[0][1],
            "norm2": m.sublayers[1][0],
            "feedforward": m.sublayers[1][1],
        },
    },
}
