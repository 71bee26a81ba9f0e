# wrong: works row by row and lets the attention look back at the finished rows of the block instead of its inputs. Fails: TransformerBlock.values
from __future__ import annotations

from typing import Callable, List, Union

from engine import Value
from nn import Linear, Module, apply_attention, attention_scores, causal_mask, softmax

Vec = List[Value]
Mat = List[Vec]
VecOrMat = Union[Vec, Mat]


def is_matrix(x: VecOrMat) -> bool:
    return not isinstance(x[0], Value)


def add(a: VecOrMat, b: VecOrMat) -> VecOrMat:
    """elementwise, any depth"""
    if isinstance(a, Value):
        return a + b
    return [add(ai, bi) for ai, bi in zip(a, b)]


def rowwise(f: Callable[[Vec], Vec]) -> Callable[[Module, VecOrMat], VecOrMat]:
    """Lets a method written for one row accept many rows."""

    def forward(self: Module, x: VecOrMat) -> VecOrMat:
        return [f(self, row) for row in x] if is_matrix(x) else f(self, x)

    return forward


class MultiHeadAttention(Module):
    def __init__(self, embed_dim: int, num_heads: int) -> None:
        super().__init__()
        assert embed_dim % num_heads == 0, "uneven heads"
        head_dim = embed_dim // num_heads
        self.cuts = [slice(s, s + head_dim) for s in range(0, embed_dim, head_dim)]
        self.head_dim = head_dim
        self.wq, self.wk, self.wv, self.wo = [Linear(embed_dim, embed_dim, bias=False) for _ in range(4)]

    def forward(self, x: Mat, causal: bool = True) -> Mat:
        q, k, v = ([w(row) for row in x] for w in (self.wq, self.wk, self.wv))
        concat: Mat = [[] for _ in x]
        for cut in self.cuts:
            scores = attention_scores([r[cut] for r in q], [r[cut] for r in k], self.head_dim)
            if causal:
                scores = add(scores, causal_mask(len(x)))
            probs = [softmax(row) for row in scores]
            for row, part in zip(concat, apply_attention(probs, [r[cut] for r in v])):
                row.extend(part)
        return [self.wo(row) for row in concat]


class LayerNorm(Module):
    """A vector gives a vector, a list of vectors gives a list of vectors (each one normalised alone)."""

    def __init__(self, dim: int, eps: float = 1e-5) -> None:
        super().__init__()
        self.dim, self.eps = dim, eps
        self.weight = [Value(1.0) for _ in range(dim)]
        self.bias = [Value(0.0) for _ in range(dim)]

    @rowwise
    def forward(self, row: Vec) -> Vec:
        mean = sum(row) / self.dim
        var = sum((r - mean) * (r - mean) for r in row) / self.dim
        scale = (var + self.eps) ** (-1 / 2)
        return [(r - mean) * scale * w + b for r, w, b in zip(row, self.weight, self.bias)]


class FeedForward(Module):
    def __init__(self, embed_dim: int, hidden_dim: int | None = None) -> None:
        super().__init__()
        self.inner = Linear(embed_dim, 4 * embed_dim if hidden_dim is None else hidden_dim)
        self.outer = Linear(self.inner.out_features, embed_dim)

    @rowwise
    def forward(self, row: Vec) -> Vec:
        return self.outer([u.relu() for u in self.inner(row)])


class TransformerBlock(Module):
    def __init__(self, embed_dim: int, num_heads: int) -> None:
        super().__init__()
        self.norm1 = LayerNorm(embed_dim)
        self.attn = MultiHeadAttention(embed_dim, num_heads)
        self.norm2 = LayerNorm(embed_dim)
        self.mlp = FeedForward(embed_dim)

    def forward(self, x: Mat) -> Mat:
        # one position after the other, like generating text
        done: Mat = []
        for row in x:
            context = [self.norm1(r) for r in done + [row]]
            y = add(row, self.attn(context)[-1])
            done.append(add(y, self.mlp(self.norm2(y))))
        return done
