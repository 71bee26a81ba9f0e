"""Modules, a linear layer and single-head attention on scalar Values. Given: read it, do not edit it."""

from __future__ import annotations

import random
from typing import Any, Dict, List

from engine import Value


class Module:
    """Registers every Value and Module assigned to an attribute, also inside lists and tuples.

    Call ``super().__init__()`` before the first assignment. What is appended to a list after the list
    was assigned, or kept in a dict, is not registered.
    """

    _parameters: Dict[str, Value]
    _modules: Dict[str, Module]
    training: bool

    def __init__(self) -> None:
        object.__setattr__(self, "_parameters", {})
        object.__setattr__(self, "_modules", {})
        object.__setattr__(self, "training", True)

    def __setattr__(self, name: str, value: Any) -> None:
        if isinstance(value, Value):
            self._parameters[name] = value
        elif isinstance(value, Module):
            self._modules[name] = value
        elif isinstance(value, (list, tuple)):
            self._register_list(name, value)
        object.__setattr__(self, name, value)

    def _register_list(self, name: str, values: Any) -> None:
        for i, v in enumerate(values):
            if isinstance(v, Value):
                self._parameters[f"{name}.{i}"] = v
            elif isinstance(v, Module):
                self._modules[f"{name}.{i}"] = v
            elif isinstance(v, (list, tuple)):
                self._register_list(f"{name}.{i}", v)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.forward(*args, **kwargs)

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        raise NotImplementedError()

    def parameters(self) -> List[Value]:
        params = list(self._parameters.values())
        for module in self._modules.values():
            params.extend(module.parameters())
        return params


class Linear(Module):
    """y = W x + b for one vector x."""

    def __init__(self, in_features: int, out_features: int, bias: bool = True) -> None:
        super().__init__()
        k = 1.0 / (in_features**0.5)
        self.weight = [[Value(random.uniform(-k, k)) for _ in range(in_features)] for _ in range(out_features)]
        self.bias = [Value(0.0) for _ in range(out_features)] if bias else None
        self.out_features = out_features

    def forward(self, x: List[Value]) -> List[Value]:
        """x: (in_features,) -> (out_features,). A longer or shorter x is not noticed: zip stops early."""
        out = []
        for i in range(self.out_features):
            val: Any = sum(w * xi for w, xi in zip(self.weight[i], x))
            if self.bias is not None:
                val = val + self.bias[i]
            out.append(val)
        return out


def softmax(scores: List[Value]) -> List[Value]:
    """Turn scores into positive weights that sum to 1."""
    max_score = max(s.data for s in scores)
    exp_scores = [(s - max_score).exp() for s in scores]
    sum_exp = sum(exp_scores)
    return [e / sum_exp for e in exp_scores]


def attention_scores(Q: List[List[Value]], K: List[List[Value]], d_k: int) -> List[List[Value]]:
    """scores[i][j] = Q[i] . K[j] / sqrt(d_k); Q, K: (T, d) -> (T, T)."""
    seq_len = len(Q)
    scale = d_k**0.5
    scores = []
    for i in range(seq_len):
        row = []
        for j in range(seq_len):
            dot: Any = sum(q * k for q, k in zip(Q[i], K[j]))
            row.append(dot / scale)
        scores.append(row)
    return scores


def causal_mask(seq_len: int) -> List[List[float]]:
    """(T, T): 0 where position i may look at position j (j <= i), -1e9 where it may not."""
    mask = []
    for i in range(seq_len):
        row = []
        for j in range(seq_len):
            row.append(0.0 if j <= i else -1e9)
        mask.append(row)
    return mask


def apply_attention(weights: List[List[Value]], V: List[List[Value]]) -> List[List[Value]]:
    """out[i] = sum over j of weights[i][j] * V[j]; weights: (T, T), V: (T, d) -> (T, d)."""
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
    """Single-head self-attention: the one-head case of what you are about to write."""

    def __init__(self, embed_dim: int) -> None:
        super().__init__()
        self.embed_dim = embed_dim
        self.W_q = Linear(embed_dim, embed_dim)
        self.W_k = Linear(embed_dim, embed_dim)
        self.W_v = Linear(embed_dim, embed_dim)
        self.W_o = Linear(embed_dim, embed_dim)

    def forward(self, x: List[List[Value]], causal: bool = True) -> List[List[Value]]:
        """x: (T, D) -> (T, D)."""
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
