"""The exercise in plain floats: rows of numbers and the roles of the parameters come in, rows of numbers go out."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

Row = list[float]
Rows = list[Row]
Affine = tuple[Rows, Row | None]
Roles = dict[str, Any]

STEP = 1e-5  # near the cube root of the rounding error, where truncation and rounding balance


def dot(a: Sequence[float], b: Sequence[float]) -> float:
    """The sum of the products; two lengths are an error."""
    return sum(x * y for x, y in zip(a, b, strict=True))


def affine(x: Row, layer: Affine) -> Row:
    """W x + b; a weight row of another length than x is an error."""
    weight, bias = layer
    product = [dot(row, x) for row in weight]
    return product if bias is None else [p + b for p, b in zip(product, bias, strict=True)]


def softmax(scores: Row) -> Row:
    """Positive weights that sum to 1."""
    top = max(scores)
    powers = [math.exp(score - top) for score in scores]
    total = sum(powers)
    return [power / total for power in powers]


def attend(q: Rows, k: Rows, v: Rows, causal: bool) -> Rows:
    """Scaled dot-product attention of one head; a causal row never looks at a later one."""
    scale = 1.0 / math.sqrt(len(k[0]))
    mixed = []
    for i, query in enumerate(q):
        seen = range(i + 1 if causal else len(k))
        weights = softmax([scale * dot(query, k[j]) for j in seen])
        mixed.append([sum(w * v[j][c] for w, j in zip(weights, seen)) for c in range(len(v[0]))])
    return mixed


def head_output(x: Rows, head: Roles, causal: bool) -> Rows:
    """What one head hands to the concatenation: (T, D) -> (T, head_dim)."""
    channels = head.get("channels")
    own = x if channels is None else [[row[c] for c in channels] for row in x]
    q, k, v = ([affine(row, head[name]) for row in own] for name in ("q", "k", "v"))
    mixed = attend(q, k, v, causal)
    inner = head.get("inner")
    return mixed if inner is None else [affine(row, inner) for row in mixed]


def multi_head_attention(x: Rows, roles: Roles, causal: bool = True) -> Rows:
    """All heads, then one projection of their concatenation or the sum of one projection per head."""
    heads = [head_output(x, head, causal) for head in roles["heads"]]
    if "out" in roles:
        return [affine([c for head in heads for c in head[t]], roles["out"]) for t in range(len(x))]
    projected = [[affine(row, out) for row in head] for head, out in zip(heads, roles["out_heads"], strict=True)]
    return [[sum(parts) for parts in zip(*rows, strict=True)] for rows in zip(*projected, strict=True)]


def layer_norm(x: Row, roles: Roles, eps: float = 1e-5) -> Row:
    """Mean 0 and variance 1, then scale and shift per channel; an offset scale counts from 1."""
    mean = sum(x) / len(x)
    variance = sum((xi - mean) ** 2 for xi in x) / len(x)
    deviation = math.sqrt(variance + eps)
    more = 1.0 if roles.get("offset") else 0.0
    affines = zip(x, roles["scale"], roles["shift"], strict=True)
    return [(xi - mean) / deviation * (more + scale) + shift for xi, scale, shift in affines]


def feed_forward(x: Row, roles: Roles) -> Row:
    """Two linear layers with a ReLU between them."""
    return affine([max(0.0, h) for h in affine(x, roles["first"])], roles["second"])


def add(x: Rows, y: Rows) -> Rows:
    """The residual sum of two equally large sets of rows."""
    return [[a + b for a, b in zip(*rows, strict=True)] for rows in zip(x, y, strict=True)]


def transformer_block(x: Rows, roles: Roles) -> Rows:
    """y = x + MHA(LN(x)), z = y + FFN(LN(y))."""
    y = add(x, multi_head_attention([layer_norm(row, roles["norm1"]) for row in x], roles["attention"]))
    return add(y, [feed_forward(layer_norm(row, roles["norm2"]), roles["feedforward"]) for row in y])


def central_differences(function: Callable[[Row], float], point: Sequence[float], step: float = STEP) -> Row:
    """The gradient of function at point, one channel at a time."""
    gradient = []
    for i, here in enumerate(point):
        ahead, behind = list(point), list(point)
        ahead[i], behind[i] = here + step, here - step
        gradient.append((function(ahead) - function(behind)) / (2 * step))
    return gradient
