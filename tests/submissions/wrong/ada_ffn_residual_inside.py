# wrong: the shortcut is inside FeedForward as well, it returns x + MLP(x). Fails: FeedForward.residual
from __future__ import annotations
import math
import random
from typing import List, Iterator, Tuple, Callable, Set

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

    def parameters(self) -> List[Value]:
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

    def forward(self, x: List[Value]) -> List[Value]:
        out = []
        for i in range(self.out_features):
            val = sum(w * xi for w, xi in zip(self.weight[i], x))
            if self.bias is not None:
                val = val + self.bias[i]
            out.append(val)
        return out

def softmax(scores: List[Value]) -> List[Value]:
    max_score = max(s.data for s in scores)
    exp_scores = [(s - max_score).exp() for s in scores]
    sum_exp = sum(exp_scores)
    return [e / sum_exp for e in exp_scores]

def attention_scores(Q: List[List[Value]], K: List[List[Value]], d_k: int) -> List[List[Value]]:
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

def apply_attention(weights: List[List[Value]], V: List[List[Value]]) -> List[List[Value]]:
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

    def forward(self, x: List[List[Value]], causal: bool = True) -> List[List[Value]]:
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

class MultiHeadAttention(Module):
    """Multi-head attention, slices of W_q x, W_k x, W_v x."""

    def __init__(self, embed_dim: int, num_heads: int) -> None:
        super().__init__()
        assert embed_dim % num_heads == 0
        self.num_heads = num_heads
        self.head_dim = embed_dim // num_heads
        self.W_q = Linear(embed_dim, embed_dim)
        self.W_k = Linear(embed_dim, embed_dim)
        self.W_v = Linear(embed_dim, embed_dim)
        self.W_o = Linear(embed_dim, embed_dim)

    def forward(self, x: List[List[Value]], causal: bool = True) -> List[List[Value]]:
        seq_len = len(x)
        dk = self.head_dim
        Q = []
        K = []
        V = []
        for pos in x:
            Q.append([q / math.sqrt(dk) for q in self.W_q(pos)])
            K.append(self.W_k(pos))
            V.append(self.W_v(pos))

        heads = []
        for h in range(self.num_heads):
            a, b = h * dk, (h + 1) * dk
            weights = []
            for i in range(seq_len):
                row = []
                for j in range(seq_len):
                    score = Q[i][a] * K[j][a]
                    for c in range(a + 1, b):
                        score = score + Q[i][c] * K[j][c]
                    if j > i and causal:
                        score = score + (-1e9)
                    row.append(score)
                weights.append(softmax(row))
            heads.append(apply_attention(weights, [pos[a:b] for pos in V]))

        out = []
        for i in range(seq_len):
            concat = []
            for head in heads:
                concat = concat + head[i]
            out.append(self.W_o(concat))
        return out


class LayerNorm(Module):
    """Layer normalization with learnable gamma and beta."""

    def __init__(self, dim: int, eps: float = 1e-5) -> None:
        super().__init__()
        self.dim = dim
        self.eps = eps
        self.gamma = [Value(1.0) for _ in range(dim)]
        self.beta = [Value(0.0) for _ in range(dim)]

    def forward(self, x: List[Value]) -> List[Value]:
        mu = sum(x) / self.dim
        var = sum((v - mu) ** 2 for v in x) / self.dim
        denom = (var + self.eps) ** 0.5
        return [self.gamma[i] * ((x[i] - mu) / denom) + self.beta[i] for i in range(self.dim)]


class FeedForward(Module):
    """D -> 4D -> D with ReLU and a skip connection."""

    def __init__(self, embed_dim: int, hidden_dim: int = None) -> None:
        super().__init__()
        if hidden_dim is None:
            hidden_dim = 4 * embed_dim
        self.fc_in = Linear(embed_dim, hidden_dim)
        self.fc_out = Linear(hidden_dim, embed_dim)

    def forward(self, x: List[Value]) -> List[Value]:
        out = self.fc_out([h.relu() for h in self.fc_in(x)])
        return [xi + oi for xi, oi in zip(x, out)]


class TransformerBlock(Module):
    """Pre-norm transformer block."""

    def __init__(self, embed_dim: int, num_heads: int) -> None:
        super().__init__()
        self.ln1 = LayerNorm(embed_dim)
        self.ln2 = LayerNorm(embed_dim)
        self.mha = MultiHeadAttention(embed_dim, num_heads)
        self.ffn = FeedForward(embed_dim)

    def forward(self, x: List[List[Value]]) -> List[List[Value]]:
        a = self.mha([self.ln1(pos) for pos in x])
        y = []
        for i in range(len(x)):
            y.append([p + q for p, q in zip(x[i], a[i])])
        z = []
        for i in range(len(y)):
            f = self.ffn(self.ln2(y[i]))
            z.append([p + q for p, q in zip(y[i], f)])
        return z
