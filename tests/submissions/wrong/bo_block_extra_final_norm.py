# wrong: the result of the block is normalised once more by a third LayerNorm. Fails: TransformerBlock.residual
from __future__ import annotations
import math
import random
from typing import Callable, List, Optional, Set, Tuple

class Value:
    """Scalar Value with autograd support."""

    def __init__(self, data: float, _children: Tuple["Value", ...] = (), _op: str = "") -> None:
        self.data = float(data)
        self.grad = 0.0
        self._backward: Callable[[], None] = lambda: None
        self._prev: Set["Value"] = set(_children)
        self._op = _op

    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data + other.data, (self, other), "+")
        def _backward():
            self.grad += out.grad
            other.grad += out.grad
        out._backward = _backward
        return out

    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data * other.data, (self, other), "*")
        def _backward():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad
        out._backward = _backward
        return out

    def __pow__(self, n):
        out = Value(self.data ** n, (self,), f"**{n}")
        def _backward():
            self.grad += n * (self.data ** (n - 1)) * out.grad
        out._backward = _backward
        return out

    def __neg__(self):
        return self * -1

    def __sub__(self, other):
        return self + (-other)

    def __truediv__(self, other):
        return self * (other ** -1)

    def __radd__(self, other):
        return self + other

    def __rmul__(self, other):
        return self * other

    # --- added: so that 1 - v and 1 / v work too ---
    def __rsub__(self, other):
        return (-self) + other

    def __rtruediv__(self, other):
        return (self ** -1) * other

    def sqrt(self):
        return self ** 0.5

    def __repr__(self):
        return f"Value({self.data:.4f}, grad={self.grad:.4f})"

    def exp(self):
        out = Value(math.exp(self.data), (self,), "exp")
        def _backward():
            self.grad += out.data * out.grad
        out._backward = _backward
        return out

    def log(self):
        out = Value(math.log(max(self.data, 1e-10)), (self,), "log")
        def _backward():
            self.grad += (1.0 / max(self.data, 1e-10)) * out.grad
        out._backward = _backward
        return out

    def relu(self):
        out = Value(max(0.0, self.data), (self,), "relu")
        def _backward():
            self.grad += (1.0 if self.data > 0 else 0.0) * out.grad
        out._backward = _backward
        return out

    def backward(self):
        topo = []
        visited = set()
        def build_topo(v):
            if v not in visited:
                visited.add(v)
                for child in v._prev:
                    build_topo(child)
                topo.append(v)
        build_topo(self)
        self.grad = 1.0
        for node in reversed(topo):
            node._backward()


Vector = List[Value]
Matrix = List[Vector]

class Module:
    """Module base class."""

    def __init__(self) -> None:
        object.__setattr__(self, "_parameters", {})
        object.__setattr__(self, "_modules", {})
        object.__setattr__(self, "training", True)

    def __setattr__(self, name: str, value) -> None:
        if isinstance(value, Value):
            self._parameters[name] = value
        elif isinstance(value, Module):
            self._modules[name] = value
        elif isinstance(value, (list, tuple)):
            self._register_list(name, value)
        object.__setattr__(self, name, value)

    def _register_list(self, name: str, values) -> None:
        for i, v in enumerate(values):
            if isinstance(v, Value):
                self._parameters[f"{name}.{i}"] = v
            elif isinstance(v, Module):
                self._modules[f"{name}.{i}"] = v
            elif isinstance(v, (list, tuple)):
                self._register_list(f"{name}.{i}", v)

    def __call__(self, *args, **kwargs):
        return self.forward(*args, **kwargs)

    def forward(self, *args, **kwargs):
        raise NotImplementedError()

    def parameters(self) -> Vector:
        params = list(self._parameters.values())
        for module in self._modules.values():
            params.extend(module.parameters())
        return params

class Linear(Module):
    """Linear layer."""

    def __init__(self, in_features: int, out_features: int, bias: bool = True) -> None:
        super().__init__()
        k = 1.0 / (in_features ** 0.5)
        self.weight = [
            [Value(random.uniform(-k, k)) for _ in range(in_features)]
            for _ in range(out_features)
        ]
        self.bias = [Value(0.0) for _ in range(out_features)] if bias else None
        self.out_features = out_features

    def forward(self, x: Vector) -> Vector:
        out = []
        for i in range(self.out_features):
            val = sum(w * xi for w, xi in zip(self.weight[i], x))
            if self.bias is not None:
                val = val + self.bias[i]
            out.append(val)
        return out

def softmax(scores: Vector) -> Vector:
    max_score = max(s.data for s in scores)
    exp_scores = [(s - max_score).exp() for s in scores]
    sum_exp = sum(exp_scores)
    return [e / sum_exp for e in exp_scores]

def attention_scores(Q: Matrix, K: Matrix, d_k: int) -> Matrix:
    seq_len = len(Q)
    scale = d_k ** 0.5
    scores = []
    for i in range(seq_len):
        row = []
        for j in range(seq_len):
            dot = sum(q * k for q, k in zip(Q[i], K[j]))
            row.append(dot / scale)
        scores.append(row)
    return scores

def causal_mask(seq_len: int) -> List[List[float]]:
    mask = []
    for i in range(seq_len):
        row = []
        for j in range(seq_len):
            row.append(0.0 if j <= i else -1e9)
        mask.append(row)
    return mask

def apply_attention(weights: Matrix, V: Matrix) -> Matrix:
    seq_len = len(weights)
    d_v = len(V[0])
    output = []
    for i in range(seq_len):
        attended = []
        for k in range(d_v):
            val = Value(0.0)
            for j in range(seq_len):
                val = val + weights[i][j] * V[j][k]
            attended.append(val)
        output.append(attended)
    return output

class SelfAttention(Module):
    """Single-head self-attention."""

    def __init__(self, embed_dim: int) -> None:
        super().__init__()
        self.embed_dim = embed_dim
        self.W_q = Linear(embed_dim, embed_dim)
        self.W_k = Linear(embed_dim, embed_dim)
        self.W_v = Linear(embed_dim, embed_dim)
        self.W_o = Linear(embed_dim, embed_dim)

    def forward(self, x: Matrix, causal: bool = True) -> Matrix:
        seq_len = len(x)
        Q = [self.W_q(pos) for pos in x]
        K = [self.W_k(pos) for pos in x]
        V = [self.W_v(pos) for pos in x]
        scores = attention_scores(Q, K, self.embed_dim)
        if causal:
            mask = causal_mask(seq_len)
            for i in range(seq_len):
                for j in range(seq_len):
                    scores[i][j] = scores[i][j] + mask[i][j]
        weights = [softmax(row) for row in scores]
        attended = apply_attention(weights, V)
        return [self.W_o(pos) for pos in attended]


def add_vectors(a: Vector, b: Vector) -> Vector:
    return [ai + bi for ai, bi in zip(a, b)]


def add_rows(A: Matrix, B: Matrix) -> Matrix:
    return [add_vectors(a, b) for a, b in zip(A, B)]


class AttentionHead(Module):
    """One head: projects the whole row down to head_dim and attends."""

    def __init__(self, embed_dim: int, head_dim: int) -> None:
        super().__init__()
        self.head_dim = head_dim
        self.query = Linear(embed_dim, head_dim, bias=False)
        self.key = Linear(embed_dim, head_dim, bias=False)
        self.value = Linear(embed_dim, head_dim, bias=False)

    def forward(self, x: Matrix, causal: bool = True) -> Matrix:
        T = len(x)
        q: Matrix = [self.query(row) for row in x]
        k: Matrix = [self.key(row) for row in x]
        v: Matrix = [self.value(row) for row in x]
        scores = attention_scores(q, k, self.head_dim)
        if causal:
            mask = causal_mask(T)
            scores = [[scores[i][j] + mask[i][j] for j in range(T)] for i in range(T)]
        return apply_attention([softmax(r) for r in scores], v)


class MultiHeadAttention(Module):
    """Several heads side by side, then one output projection."""

    def __init__(self, embed_dim: int, num_heads: int) -> None:
        super().__init__()
        assert embed_dim % num_heads == 0, "embed_dim must be divisible by num_heads"
        head_dim = embed_dim // num_heads
        self.heads = [AttentionHead(embed_dim, head_dim) for _ in range(num_heads)]
        self.proj = Linear(embed_dim, embed_dim)

    def forward(self, x: Matrix, causal: bool = True) -> Matrix:
        outs = [head(x, causal) for head in self.heads]
        result: Matrix = []
        for t in range(len(x)):
            joined: Vector = []
            for o in outs:
                joined += o[t]
            result.append(self.proj(joined))
        return result


class LayerNorm(Module):
    """Layer normalization of one vector."""

    def __init__(self, dim: int, eps: float = 1e-5) -> None:
        super().__init__()
        self.eps = eps
        self.scale = [Value(1.0) for _ in range(dim)]
        self.shift = [Value(0.0) for _ in range(dim)]

    def forward(self, x: Vector) -> Vector:
        n = len(x)
        mean = sum(x) / n
        centered = [xi - mean for xi in x]
        var = sum(c * c for c in centered) / n
        inv_std = 1 / (var + self.eps).sqrt()
        return [g * (c * inv_std) + b for g, c, b in zip(self.scale, centered, self.shift)]


class FeedForward(Module):
    """D -> 4D -> D with a ReLU."""

    def __init__(self, embed_dim: int, hidden_dim: Optional[int] = None) -> None:
        super().__init__()
        hidden_dim = 4 * embed_dim if hidden_dim is None else hidden_dim
        self.up = Linear(embed_dim, hidden_dim)
        self.down = Linear(hidden_dim, embed_dim)

    def forward(self, x: Vector) -> Vector:
        return self.down([h.relu() for h in self.up(x)])


class TransformerBlock(Module):
    """Pre-norm block."""

    def __init__(self, embed_dim: int, num_heads: int) -> None:
        super().__init__()
        self.norm1 = LayerNorm(embed_dim)
        self.mha = MultiHeadAttention(embed_dim, num_heads)
        self.norm2 = LayerNorm(embed_dim)
        self.ffn = FeedForward(embed_dim)
        self.norm_out = LayerNorm(embed_dim)

    def forward(self, x: Matrix) -> Matrix:
        y = add_rows(x, self.mha([self.norm1(row) for row in x]))
        z = add_rows(y, [self.ffn(self.norm2(row)) for row in y])
        return [self.norm_out(row) for row in z]
