# wrong: the default hidden width is 4, not 4 * embed_dim. Fails: FeedForward.contract
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

def lse_softmax(scores: List[Value]) -> List[Value]:
    # log-sum-exp version, shift by the max so that the log never sees a tiny number
    m = max(s.data for s in scores)
    shifted = [s - m for s in scores]
    lse = sum(s.exp() for s in shifted).log()
    return [(s - lse).exp() for s in shifted]

class MultiHeadAttention(Module):
    """Multi-head attention with one big Linear for q, k and v."""

    def __init__(self, embed_dim: int, num_heads: int) -> None:
        super().__init__()
        assert embed_dim % num_heads == 0, "bad number of heads"
        self.num_heads = num_heads
        self.embed_dim = embed_dim
        self.head_dim = embed_dim // num_heads
        self.qkv = Linear(embed_dim, 3 * embed_dim)
        self.out = Linear(embed_dim, embed_dim)

    def forward(self, x: List[List[Value]], causal: bool = True) -> List[List[Value]]:
        T = len(x)
        D = self.embed_dim
        hd = self.head_dim
        fused = [self.qkv(pos) for pos in x]
        joined = [[] for _ in range(T)]
        for h in range(self.num_heads):
            a = h * hd
            Q = [row[a:a + hd] for row in fused]
            K = [row[D + a:D + a + hd] for row in fused]
            V = [row[2 * D + a:2 * D + a + hd] for row in fused]
            scores = attention_scores(Q, K, hd)
            if causal:
                mask = causal_mask(T)
                for i in range(T):
                    for j in range(T):
                        scores[i][j] = scores[i][j] + mask[i][j]
            weights = [lse_softmax(row) for row in scores]
            attended = apply_attention(weights, V)
            for t in range(T):
                joined[t].extend(attended[t])
        return [self.out(row) for row in joined]

class LayerNorm(Module):
    """Layer normalization."""

    def __init__(self, dim: int, eps: float = 1e-5) -> None:
        super().__init__()
        self.eps = eps
        self.alpha = [Value(1.0) for _ in range(dim)]
        self.beta = [Value(0.0) for _ in range(dim)]

    def forward(self, x: List[Value]) -> List[Value]:
        # Welford: one pass, mean and sum of squared deviations are updated together
        D = len(x)
        mean = Value(0.0)
        m2 = Value(0.0)
        for count, xi in enumerate(x, start=1):
            delta = xi - mean
            mean = mean + delta / count
            m2 = m2 + delta * (xi - mean)
        var = m2 / D
        denom = (var + self.eps) ** 0.5
        out = []
        for i in range(D):
            out.append(self.alpha[i] * (x[i] - mean) / denom + self.beta[i])
        return out

class FeedForward(Module):
    """Feed-forward network."""

    def __init__(self, embed_dim: int, hidden_dim: int = None) -> None:
        super().__init__()
        self.hidden_dim = 4 if hidden_dim is None else hidden_dim
        self.l1 = Linear(embed_dim, self.hidden_dim)
        self.l2 = Linear(self.hidden_dim, embed_dim)

    def forward(self, x: List[Value]) -> List[Value]:
        h = self.l1(x)
        h = [v.relu() for v in h]
        return self.l2(h)

class TransformerBlock(Module):
    """Pre-norm transformer block."""

    def __init__(self, embed_dim: int, num_heads: int) -> None:
        super().__init__()
        self.mha = MultiHeadAttention(embed_dim, num_heads)
        self.ln_1 = LayerNorm(embed_dim)
        self.ffn = FeedForward(embed_dim)
        self.ln_2 = LayerNorm(embed_dim)

    def forward(self, x: List[List[Value]]) -> List[List[Value]]:
        normed_x = [self.ln_1(pos) for pos in x]
        att = self.mha(normed_x)
        y = [[xi + ai for xi, ai in zip(x[t], att[t])] for t in range(len(x))]
        normed_y = [self.ln_2(pos) for pos in y]
        ff = [self.ffn(pos) for pos in normed_y]
        z = [[yi + fi for yi, fi in zip(y[t], ff[t])] for t in range(len(y))]
        return z
