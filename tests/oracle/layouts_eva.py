"""Where eva's right hand-ins keep their weights, told in the module's own Values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Matrix = list[list[Any]]
Affine = tuple[Matrix, list[Any] | None]
Roles = dict[str, Any]
Reader = Callable[[Any], Roles]


def affine(linear: Any) -> Affine:
    """A given Linear as (rows over the inputs, biases or None)."""
    return linear.weight, linear.bias


def rows(weights: Affine, which: slice) -> Affine:
    """Some output rows of a projection."""
    matrix, bias = weights
    return matrix[which], None if bias is None else bias[which]


def transposed(matrix: Matrix) -> Matrix:
    """Weights stored input by output, turned into output rows."""
    return [list(column) for column in zip(*matrix, strict=True)]


def head(q: Affine, k: Affine, v: Affine, channels: list[int] | None = None, inner: Affine | None = None) -> Roles:
    """The roles of one head."""
    return {"q": q, "k": k, "v": v, "channels": channels, "inner": inner}


def sliced(q: Affine, k: Affine, v: Affine, num_heads: int) -> list[Roles]:
    """Full-width projections cut into contiguous heads."""
    d = len(q[0]) // num_heads
    cuts = [slice(h * d, (h + 1) * d) for h in range(num_heads)]
    return [head(rows(q, cut), rows(k, cut), rows(v, cut)) for cut in cuts]


def norm(scale: str, shift: str, offset: bool = False) -> Reader:
    """A LayerNorm whose scale and shift are lists under these names."""
    return lambda m: {"scale": getattr(m, scale), "shift": getattr(m, shift), "offset": offset}


def feedforward(first: str, second: str) -> Reader:
    """A FeedForward of two given Linears under these names."""
    return lambda m: {"first": affine(getattr(m, first)), "second": affine(getattr(m, second))}


def block(norm1: str, attention: str, norm2: str, feed: str) -> Reader:
    """A block with its parts under these names."""
    return lambda m: {
        "norm1": getattr(m, norm1),
        "attention": getattr(m, attention),
        "norm2": getattr(m, norm2),
        "feedforward": getattr(m, feed),
    }


def attention_from_linears(q: str, k: str, v: str, out: str, heads: Callable[[Any], int]) -> Reader:
    """Four full-width given Linears under these names."""
    return lambda m: {
        "heads": sliced(affine(getattr(m, q)), affine(getattr(m, k)), affine(getattr(m, v)), heads(m)),
        "out": affine(getattr(m, out)),
    }


def growing_kv_attention(m: Any) -> Roles:
    """A list of heads with narrow projections of the whole row."""
    return {"heads": [head(affine(h.q), affine(h.k), affine(h.v)) for h in m.heads], "out": affine(m.mix)}


def bom_unicode_attention(m: Any) -> Roles:
    """One fused raw matrix; head h owns channels h, h + H, ... and the concatenation is interleaved."""
    D, H = m.Δ, m.頭数
    fused = (m.θ, m.τ)
    q, k, v = (rows(fused, slice(part * D, (part + 1) * D)) for part in range(3))
    cuts = [slice(h, D, H) for h in range(H)]
    heads = [head(rows(q, cut), rows(k, cut), rows(v, cut)) for cut in cuts]
    order = [c for h in range(H) for c in range(h, D, H)]
    return {"heads": heads, "out": ([[row[c] for c in order] for row in m.ω], m.ο)}


def latin1_attention(m: Any) -> Roles:
    """Narrow SelfAttention heads, each on its slice of the row, with their own inner projections."""
    d = m.größe
    heads = [
        head(affine(a.W_q), affine(a.W_k), affine(a.W_v), list(range(h * d, (h + 1) * d)), affine(a.W_o))
        for h, a in enumerate(m.köpfe)
    ]
    return {"heads": heads, "out": affine(m.schluß)}


def prints_attention(m: Any) -> Roles:
    """Numbered attributes q0, k0, v0, q1, ..."""
    names = [(f"q{h}", f"k{h}", f"v{h}") for h in range(m.numHeads)]
    heads = [head(affine(getattr(m, q)), affine(getattr(m, k)), affine(getattr(m, v))) for q, k, v in names]
    return {"heads": heads, "out": affine(m.out)}


def seed_zero_attention(m: Any) -> Roles:
    """One fused raw matrix, input by output."""
    D = m.D
    fused = (transposed(m.Wqkv), m.bqkv)
    q, k, v = (rows(fused, slice(part * D, (part + 1) * D)) for part in range(3))
    return {"heads": sliced(q, k, v, m.H), "out": (transposed(m.Wo), m.bo)}


def relu_by_condition_attention(m: Any) -> Roles:
    """A sum of one output projection per head."""
    heads = [head(affine(c.pregunta), affine(c.clave), affine(c.valor)) for c in m.cabezas]
    return {"heads": heads, "out_heads": [affine(c.salida) for c in m.cabezas]}


def welford_attention(m: Any) -> Roles:
    """Queries alone, keys and values fused."""
    both = affine(m.to_kv)
    D = len(m.to_q.weight)
    heads = sliced(affine(m.to_q), rows(both, slice(0, D)), rows(both, slice(D, 2 * D)), D // m.head_dim)
    return {"heads": heads, "out": affine(m.to_out)}


LAYOUTS: dict[str, dict[str, Reader]] = {
    "eva_skip_masked": {
        "MultiHeadAttention": attention_from_linears(
            "queryLayer", "keyLayer", "valueLayer", "lastLayer", lambda m: m.numHeads
        ),
        "LayerNorm": norm("scale", "shift"),
        "FeedForward": feedforward("firstLayer", "secondLayer"),
        "TransformerBlock": block("norm1", "attention", "norm2", "feedForward"),
    },
    "eva_growing_kv": {
        "MultiHeadAttention": growing_kv_attention,
        "LayerNorm": norm("g", "b"),
        "FeedForward": feedforward("up", "down"),
        "TransformerBlock": block("before_mix", "mixer", "before_think", "think"),
    },
    "eva_tabs_crlf": {
        "MultiHeadAttention": attention_from_linears("W_q", "W_k", "W_v", "W_o", lambda m: m.num_heads),
        "LayerNorm": norm("gamma", "beta"),
        "FeedForward": feedforward("fc1", "fc2"),
        "TransformerBlock": block("ln1", "mha", "ln2", "ffn"),
    },
    "eva_bom_unicode": {
        "MultiHeadAttention": bom_unicode_attention,
        "LayerNorm": norm("γ", "β"),
        "FeedForward": lambda m: {"first": (m.上, m.上b), "second": (m.下, m.下b)},
        "TransformerBlock": block("норма_1", "внимание", "норма_2", "сеть"),
    },
    "eva_latin1": {
        "MultiHeadAttention": latin1_attention,
        "LayerNorm": norm("maßstab", "verschiebung"),
        "FeedForward": lambda m: {"first": affine(m.schichten[0]), "second": affine(m.schichten[1])},
        "TransformerBlock": block("norm_a", "aufmerksamkeit", "norm_b", "netz"),
    },
    "eva_prints": {
        "MultiHeadAttention": prints_attention,
        "LayerNorm": norm("weight", "bias"),
        "FeedForward": feedforward("l1", "l2"),
        "TransformerBlock": block("ln1", "mha", "ln2", "ffn"),
    },
    "eva_seed_zero": {
        "MultiHeadAttention": seed_zero_attention,
        "LayerNorm": norm("extra", "move", offset=True),
        "FeedForward": lambda m: {"first": (transposed(m.W1), m.b1), "second": (transposed(m.W2), m.b2)},
        "TransformerBlock": lambda m: dict(zip(("norm1", "attention", "norm2", "feedforward"), m.parts, strict=True)),
    },
    "eva_relu_by_condition": {
        "MultiHeadAttention": relu_by_condition_attention,
        "LayerNorm": norm("escala", "traslado"),
        "FeedForward": feedforward("abre", "cierra"),
        "TransformerBlock": block("norma_atencion", "atencion", "norma_red", "red"),
    },
    "eva_welford": {
        "MultiHeadAttention": welford_attention,
        "LayerNorm": lambda m: {
            "scale": [scale for scale, _ in m.affine],
            "shift": [shift for _, shift in m.affine],
            "offset": False,
        },
        "FeedForward": feedforward("wide", "back"),
        "TransformerBlock": block("ln_a", "attn", "ln_f", "ffn"),
    },
    "eva_ln_names_exchanged": {
        "MultiHeadAttention": attention_from_linears("w_q", "w_k", "w_v", "w_o", lambda m: m.num_heads),
        "LayerNorm": norm("gain", "offset"),
        "FeedForward": feedforward("fc1", "fc2"),
        "TransformerBlock": block("ln2", "mha", "ln1", "ffn"),
    },
}
