"""Which parameter plays which role in fay's right hand-ins. Roles are the modules' own Values."""

from __future__ import annotations

from typing import Any

from tests.oracle.layouts_dan import Layout, Roles, block, feed, norm


def cut(linear: Any, start: int, stop: int) -> Any:
    """(W, b) of some outputs of one Linear."""
    return linear.weight[start:stop], linear.bias[start:stop]


def joined(q: Any, k: Any, v: Any, out: Any, heads: int) -> Roles:
    """Layers over all heads, whose outputs are cut into heads."""
    width = len(out.weight) // heads
    cuts = [(h * width, (h + 1) * width) for h in range(heads)]
    return {
        "heads": [
            {"q": cut(q, *at), "k": cut(k, *at), "v": cut(v, *at), "channels": None, "inner": None} for at in cuts
        ],
        "out": cut(out, 0, len(out.weight)),
    }


def attention_own_operations(m: Any) -> Roles:
    """Four layers by name."""
    return joined(m.q, m.k, m.v, m.o, m.h)


def attention_constants_kept(m: Any) -> Roles:
    """Queries, keys and values in one list."""
    return joined(*m.qkv, m.fc_out, m.heads)


LAYOUTS: dict[str, dict[str, Layout]] = {
    "fay_own_operations": {
        "MultiHeadAttention": attention_own_operations,
        "LayerNorm": norm("g", "b"),
        "FeedForward": feed("expand", "contract"),
        "TransformerBlock": lambda m: {
            "norm1": m.norms[0],
            "attention": m.attention,
            "norm2": m.norms[1],
            "feedforward": m.feed_forward,
        },
    },
    "fay_constants_kept": {
        "MultiHeadAttention": attention_constants_kept,
        "LayerNorm": norm("gamma", "beta"),
        "FeedForward": feed("up", "down"),
        "TransformerBlock": block("norm1", "mha", "norm2", "ffn"),
    },
}
